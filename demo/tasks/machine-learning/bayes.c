/* SPDX-License-Identifier: GPL-2.0-only */
/* A naive Bayes classifier, trained and tested on two kinds of generated messages. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 200, LENGTH = 20, TRAIN = 4000, TEST = 1000 };

static int word(int kind, unsigned int *seed)
{
	int half = rand_r(seed) % 100 < 70 ? kind : !kind;

	return half * WORDS / 2 + rand_r(seed) % (WORDS / 2);
}

int main(int argc, char **argv)
{
	unsigned int seed = argc > 1 ? (unsigned int)atoi(argv[1]) + 1 : 1;
	double count[2][WORDS];
	double total[2] = { WORDS, WORDS };
	int right = 0;

	for (int i = 0; i < WORDS; i++)
		count[0][i] = count[1][i] = 1;
	for (int i = 0; i < TRAIN * LENGTH; i++) {
		int kind = i / LENGTH % 2;

		count[kind][word(kind, &seed)]++;
		total[kind]++;
	}
	for (int i = 0; i < TEST; i++) {
		double score = 0;

		for (int k = 0; k < LENGTH; k++) {
			int w = word(i % 2, &seed);

			score += log(count[1][w] / total[1]) - log(count[0][w] / total[0]);
		}
		right += (score > 0) == i % 2;
	}
	printf("bayes: %d of %d right\n", right, TEST);
	return right > TEST * 9 / 10 ? 0 : 1;
}
