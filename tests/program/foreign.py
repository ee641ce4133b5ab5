"""A file that is no rows, and texts without --text, are called by their name, with what to type, which then works."""
import bz2
import gzip
import json
import lzma
import shlex
import shutil
import subprocess

from cli import OUT, check, finish, image, must, put, refused, skip, train


def features(model):
    weights = json.loads(must("show", "--json", "--top", "99", model))["weights"][0]
    return sorted(entry["feature"] for way in ("for", "against") for entry in weights[way])


def through(command, says, content, *options):
    """The file is refused, with a sentence that has the command; that, on the file, makes rows. Their features; the tool may
    be lacking."""
    data, tool = put("foreign", content), command.split()[0]
    check(command in says, f"{command}: {says}")
    for words in ("train", data, OUT + "/m"), ("predict", data, train(put("t.csv", "a,b\n1,x\n2,z\n"), model="n")):
        refused(2, says + "\n", *words)
    if not shutil.which(tool):
        return skip(f"{tool} is not there")
    done = subprocess.run([*shlex.split(command), data], capture_output=True)
    check(done.returncode == 0, f"{command}: {done.stderr}")
    return features(train("-", *options, stdin=done.stdout))


def test_foreign():
    """What is no text, or of no format that is read, is called by its name, with what to type; which is typed here."""
    plain = b"a,b,y\n1,3,u\n2,1,v\n"
    for by, command, packed in (("gzip", "gunzip -c", gzip.compress(plain)), ("xz", "xz -dc", lzma.compress(plain)),
                                ("bzip2", "bzip2 -dc", bz2.compress(plain))):
        found = through(command, f": compressed by {by}: read it through {command}, with '-' as DATA", packed)
        check(found in (["a", "b"], None), by)
    refused(2, ": compressed by zstd: read it through zstd -dc, with '-' as DATA", "train", put("d", b"\x28\xb5\x2f\xfd" + plain), OUT + "/m")
    refused(2, ": a Parquet file: write the table as CSV", "train", put("d", b"PAR1\x15" + plain), OUT + "/m")
    check(features(train(put("d", "PAR1,y\n1,u\n2,v\n"))) == ["PAR1"], "a column")
    rows = [{"a": 1, "b": "p q", "y": "u"}, {"y": "v", "a": 2, "b": None}]
    objects = "'(.[0]|keys_unsorted) as $k | $k, (.[]|[.[$k[]]]) | @csv'"
    for indent in None, 1:
        found = through(f"jq -r {objects}", f": JSON: jq -r {objects} makes CSV of it", json.dumps(rows, indent=indent), "--missing", "zero")
        check(found in (["a", "b=p q"], None), f"JSON: {found}")
    found = through("jq -r '.[] | @csv'", ": JSON: jq -r '.[] | @csv' makes CSV of it, which has no names",
                    json.dumps([[1, 5, "u"], [2, 3, "v"]]), "--header=no")
    check(found in (["1", "2"], None), f"JSON without names: {found}")
    found = through(f"jq -rs {objects}", f": JSON; if each line is an object, jq -rs {objects} makes CSV of it",
                    "".join(json.dumps(row) + "\n" for row in rows), "--missing", "zero")
    check(found in (["a", "b=p q"], None), f"JSON lines: {found}")
    arff = "@RELATION w\n\n@attribute a numeric\n@attribute y {u,v}\n\n@Data\n% a remark\n1,u\n2,v\n"
    for head in "", "% 1. Title: a\n%  (b)\n", "%\n\n":
        found = through("sed '1,/^@data/Id; /^%/d'", ": an ARFF file: sed '1,/^@data/Id; /^%/d' leaves its rows, which are CSV without names: read "
                        "them with '-' as DATA and --header=no", head + arff, "--header=no")
        check(found == ["1"], f"ARFF: {found}")
    must("train", "--word-labels", put("d", "%a 1:2\n{ 1:3\n"), OUT + "/m")
    for name in "%fat", "[a]", "@relation", "{a", "[[a]]":
        found = features(train(put("d.csv", f"{name},y\n1,u\n2,v\n")))
        check(found == [name], f"a column {name}: {found}")


def test_texts_without_text():
    mail = "art\tsee 3:4 now\nlaw\tthe 2:1 judge\nart\tfoo bar\n"
    quoted = 'quote\tThen he said "no", and went\njoke\tA man, "yes"\n'
    for text in mail, quoted, mail.replace("art", "1").replace("law", "2"):
        data = put("t.tsv", text)
        line = text.split("\n")[0].replace("\t", "\\t")
        refused(2, f"1: '{line}' seems to be a label, a tab and a text: --text reads such lines" +
                ("\n" if '"' in text else "; if it is a table of two columns, --sep tab does\n"), "train", data, OUT + "/m")
        must("train", "--text", data, OUT + "/m")
    table = put("t.tsv", "species name\tkind\nred fox\tu\nold owl\tv\nred fox\tu\n")
    check(features(train(table, "--sep", "tab", "--header")) == ["species name=old owl", "species name=red fox"], "--sep tab")
    plain = image(train(put("d", "1 1:2 2:3\n2 1:1 2:2\n")))
    for rows in "1\t1:2\t2:3\n2\t1:1\t2:2\n", "1\t1:2 2:3 # a b\n2\t1:1 2:2\n":
        check(image(train(put("d", rows))) == plain, f"libsvm text with tabs: {rows}")
    refused(2, "1:7: 'x:3' is not index:value", "train", put("d", "1\t1:2 x:3\n2\t1:1 2:2\n"), OUT + "/m")
    refused(2, "groups of rows", "train", put("d", "1\tqid:1 1:2\n"), OUT + "/m")


for test in (test_foreign, test_texts_without_text):
    test()
finish()
