"""Random sentences of comments, for readers to judge: from the project's root
    python3 tests/tools/sentences.py COUNT SEED FILE[:FIRST-LAST] ... >sheet 2>key
draws COUNT sentences from the comments of each FILE (C or C++), mixes them, and prints each with ten lines around it; the
lines of the sentence begin with '>'. The names of the files stand in the key only. A reader marks each sentence that had
to be read twice, or that a layman of the field would misread."""
import random
import re
import sys

AROUND = 5


def comments(text):
    """(first line, last line, words) of each comment; lines of comments that touch are one."""
    found = []
    for m in re.finditer(r"/\*.*?\*/|//[^\n]*", text, re.S):
        first = text.count("\n", 0, m.start())
        if m.group().startswith("//") and found and found[-1][1] == first - 1 and found[-1][2] == "//":
            found[-1] = (found[-1][0], first, "//")
        else:
            found.append((first, first + m.group().count("\n"), m.group()[:2]))
    return [(first, last) for first, last, _ in found]


def sentences(lines, first, last):
    """(first line, last line) of each sentence of at least five words."""
    text, at = "", []
    for number in range(first, last + 1):
        line = re.sub(r"^.*?/\*+|\*/.*$|^\s*//+|^\s*\*", "", lines[number]).strip() + " "
        if re.search(r"-{4}|={4}|SPDX|clang-format", line):
            line = ". "
        text += line
        at += [number] * len(line)
    start = 0
    for m in list(re.finditer(r"(?<!e\.g)(?<!i\.e)[.!?](?=\s+(?:[A-Z`(]|$))", text)) + [None]:
        end = m.end() if m else len(text)
        if len(re.findall(r"[A-Za-z]{2,}", text[start:end])) >= 5:
            while text[start] == " ":
                start += 1
            yield at[start], at[min(end, len(at)) - 1]
        start = end


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    drawn = []
    random.seed(seed)
    for source in sys.argv[3:]:
        path, _, part = source.partition(":")
        lines = open(path, errors="replace").read().split("\n")
        low, high = map(int, part.split("-")) if part else (1, len(lines))
        all_of_it = [s for first, last in comments("\n".join(lines)) for s in sentences(lines, first, last)
                     if low - 1 <= s[0] < high]
        drawn += [(path, lines, *s) for s in random.sample(all_of_it, min(count, len(all_of_it)))]
    random.shuffle(drawn)
    for number, (path, lines, first, last) in enumerate(drawn, 1):
        print(f"=== {number}")
        for i in range(max(0, first - AROUND), min(len(lines), last + AROUND + 1)):
            print((">" if first <= i <= last else " ") + lines[i])
        print(f"{number} {path}:{first + 1}", file=sys.stderr)


if __name__ == "__main__":
    main()
