#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-ffmpeg
# report: healthy
# expect: none
# outcome: ok
# needs: ffmpeg
# why: A film of a second is made and looked at.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v ffmpeg >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
ffmpeg -v error -nostdin -f lavfi -i testsrc=duration=1:size=64x64:rate=10 -f lavfi -i sine=duration=1 -c:v mpeg4 -c:a aac a.mp4
ffprobe -v error -show_entries stream=codec_name -of csv a.mp4
ffmpeg -v error -nostdin -i a.mp4 -vn a.wav
ls a.wav
