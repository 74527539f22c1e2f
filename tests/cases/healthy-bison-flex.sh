#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-bison-flex
# report: healthy
# expect: none
# outcome: ok
# needs: bison flex m4 gcc
# why: A parser and a scanner are generated, compiled and used.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
cat >calc.y <<'END'
%{
#include <stdio.h>
int yylex(void);
void yyerror(const char *s) { fprintf(stderr, "%s\n", s); }
%}
%token NUMBER
%left '+'
%%
line: sum '\n' { printf("%d\n", $1); };
sum: NUMBER | sum '+' sum { $$ = $1 + $3; };
%%
int main(void) { return yyparse(); }
END
cat >calc.l <<'END'
%option noyywrap
%{
#include "calc.tab.h"
%}
%%
[0-9]+ { yylval = atoi(yytext); return NUMBER; }
.|\n { return *yytext; }
END
bison -d calc.y
flex calc.l
gcc -w -o calc calc.tab.c lex.yy.c
echo 1+2+3 | ./calc
! echo 1++ | ./calc 2>/dev/null
