/* SPDX-License-Identifier: GPL-2.0-only */
#include <ctype.h>
#include <string.h>

#include "payload_words.h"

#define WORD_MAX 64 /* of a tool's name */

/* "filePath", "file_path" and "file-path" are one key. */
const char *words_key(const char *key, char *buf)
{
	size_t n = 0;

	for (; *key && n < KEY_MAX - 1; key++)
		if (isalnum((unsigned char)*key))
			buf[n++] = (char)tolower((unsigned char)*key);
	buf[*key ? 0 : n] = '\0'; /* longer than any that is known */
	return buf;
}

/* `words` are separated by one blank each, with one at both ends. */
bool words_has(const char *word, const char *words)
{
	char framed[KEY_MAX + 3];
	int n = snprintf(framed, sizeof(framed), " %s ", word);

	return word[0] && (size_t)n < sizeof(framed) && strstr(words, framed);
}

const char words_path[] =
	" path filepath file filename fullpath absolutepath relativepath relativeworkspacepath uri "
	"paths filepaths files filenames uris directory dir folder source src sourcepath "
	"destination "
	"dest dst destinationpath destpath target targetpath targetfile targetdirectory outputpath "
	"outputfile output outfile inputpath inputfile savepath saveas localpath remotepath "
	"location "
	"notebookpath oldpath newpath from to cwd root ";
/* Names of a file where they stand beside a content. */
const char words_name[] = " name title ";
const char words_content[] =
	" content contents text data filetext filecontent filecontents filedata blob body base64 "
	"contentbase64 base64content base64data database64 b64 contentb64 bytes code html "
	"markdown ";
const char words_base64[] =
	" blob base64 contentbase64 base64content base64data database64 b64 contentb64 ";
/* Not all of the file, or not as it is. */
const char words_partial[] =
	" head tail offset limit start end startline endline line lines linestart lineend range "
	"viewrange lineoffset linelimit position maxlength maxbytes maxchars maxlines maxsize "
	"maxtokens length page pagesize append insertline insertat oldstr newstr oldstring "
	"newstring "
	"oldtext newtext edits edit diff patch pattern query regex search replace replacement "
	"transform filter section selector template variables vars eol lineending lineendings "
	"newline "
	"newlines normalize trim strip linenumbers showlinenumbers compress dedent index chunk ";
const char words_command[] = " command cmd args argv arguments env ";

static const char other_words[] =
	" edit append insert replace patch update modify apply delete remove rm rename move mv "
	"copy cp "
	"list ls dir directory tree search grep find glob info stat metadata exists execute exec "
	"run "
	"eval diff outline symbols head tail multiple multi many batch lines range chunk section "
	"summarize parse convert template format hash checksum size count watch mkdir chmod ";
static const char list_words[] = " list ls dir tree ";
static const char write_words[] =
	" write create save put store upload dump overwrite new add export ";
static const char read_words[] = " read get view load cat open fetch download show retrieve ";

static void add_verb(const char *word, struct verbs *v)
{
	v->other |= words_has(word, other_words);
	v->list |= words_has(word, list_words);
	v->write |= words_has(word, write_words);
	v->read |= words_has(word, read_words);
}

/* Word by word: read_text_file, readTextFile, fs.read. */
void words_verbs(const char *tool, struct verbs *ret)
{
	char word[WORD_MAX];
	size_t n = 0;

	*ret = (struct verbs){ 0 };
	for (;; tool++) {
		unsigned char c = (unsigned char)*tool;
		bool hump = isupper(c) && n > 0 && islower((unsigned char)tool[-1]);

		if ((hump || !isalnum(c)) && n > 0) {
			word[n] = '\0';
			add_verb(word, ret);
			n = 0;
		}
		if (!c)
			return;
		if (isalnum(c) && n < sizeof(word) - 1)
			word[n++] = (char)tolower(c);
	}
}
