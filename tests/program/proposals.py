"""What an error text proposes is done, on the file that caused the error: it works, or leads on to another error. Each
text of the sources that names an option, or says what to leave out, has a case here."""
import os
import random
import re
import shlex
import subprocess

from cli import OUT, PROGRAM, SOURCES, check, finish, image, put, skip

STRING = r'"(?:[^"\\\n]|\\.)*"'


# ---- Files ----

def table(rows, seed, label=lambda total: "pq"[total > 0]):
    draw, lines = random.Random(seed), ["a,b,c,y"]
    for _ in range(rows):
        x = [round(draw.gauss(0, 1), 2) for _ in range(3)]
        lines.append(",".join(map(str, x)) + "," + label(x[0] + x[1] - x[2]))
    return "\n".join(lines) + "\n"


def sparse(rows, seed, labels=("-1", "1")):
    draw, lines = random.Random(seed), []
    for k in range(rows):
        lines.append(labels[k % len(labels)] + "".join(f" {j}:{round(draw.gauss(k % len(labels), 1), 2)}"
                                                       for j in range(1, 5 + k % 3)))
    return "\n".join(lines) + "\n"


MAIL = "".join(f"{label}\t{text}\n" for label, text in (
    ("ham", "see you at the bridge"), ("spam", "win free cash now"), ("ham", "the report is here"),
    ("spam", "free phone call now"))) * 3
WORDS = "size,colour,y\n" + "1,red,p\n2,blue,q\n3,red,p\n2,green,q\n" * 3
FILES = {
    "t.csv": table(40, 1), "u.csv": table(40, 2), "three.csv": table(40, 3, lambda total: "pqr"[int(abs(total)) % 3]),
    "numbers.csv": table(40, 1, lambda total: "01"[total > 0]),
    "t.svm": sparse(40, 4), "three.svm": sparse(40, 5, ("1", "2", "3")), "tiny.svm": "1 1:1\n-1 2:1\n",
    "mail.tsv": MAIL, "words.csv": WORDS, "gaps.csv": "a,b,y\n1,2,p\n,3,q\n4,5,p\n6,7,q\n",
    "huge.svm": "".join(f"{k % 2} 1:{k % 2 - .5}\n" for k in range(20)) + "".join(
        f"{k % 2} {k}:{600 * (k % 2) - 300}\n" for k in range(2, 400)),
    "far.svm": "1 1:1\n-1 2:1\n1 1:1e9\n" + sparse(40, 4),
    "long.csv": "day,y\n" + "".join(f"{20261101 + k},{'pq'[k > 15]}\n" for k in range(30)),
    "notes.txt": "not what this program wrote\n",
}
MODELS = {  # name: what trains it
    "long.m": "long.csv", "longest.m": "--normalize none long.csv",
    "m": "t.csv", "raw.m": "--normalize none t.csv", "svm.m": "t.svm", "mail.m": "--text mail.tsv",
    "hash.m": "--text --hash 6 mail.tsv", "words.m": "words.csv", "kernel.m": "-a kernel --normalize none t.svm",
    "kernel3.m": "-a kernel --normalize none three.svm", "rbf.m": "-a kernel --kernel rbf --normalize maxabs t.svm",
    "letters.m": "--text --letters 2-3 mail.tsv", "voted.m": "-a voted --normalize none --decision voted t.svm", "last.m": "-a kernel --budget 5 --policy oldest t.svm",
    "last3.m": "-a kernel --budget 5 --policy oldest --normalize none three.svm",
    "arow.m": "-a arow t.csv", "pair.m": "--online t.csv", "l2.m": "--normalize standard-l2 t.csv", "mail2.m": "--text --normalize l2 mail.tsv",
    "products.m": "--text --products all mail.tsv", "weighed.m": "--text --products all --words tfidf mail.tsv",
    "ones.m": "--products all --normalize l2 numbers.csv", "same.m": "same.csv",
    "left.m": "--ignore a t.csv", "numbered.m": "--header=no nameless.csv", "huge.m": "--normalize none huge.svm",
    "answers.m": "--text answers.tsv", "svmraw.m": "--normalize none t.svm", "maxabs.m": "--normalize maxabs t.svm",
}


def prepare():
    for name, content in FILES.items():
        put(name, content)
    put("one.svm", "1 1:1\n")
    put("nameless.csv", FILES["t.csv"].split("\n", 1)[1])
    put("answers.tsv", MAIL.replace("ham", "?"))
    put("same.csv", FILES["numbers.csv"].replace(",0\n", ",01\n"))
    for name, options in MODELS.items():
        command(["train", "--force", "-q", *options.split(), name])
    put("liblinear.txt", "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 1\nbias -1\nw\n0.5\n")
    command("import --force liblinear.txt imported.m")
    put("bare.m", image(OUT + "/voted.m"))
    put("bare linear.m", image(OUT + "/svm.m"))


# ---- Running ----

def command(line, stdin=b""):
    words = shlex.split(line) if isinstance(line, str) else line
    done = subprocess.run([os.path.abspath(PROGRAM), *words], input=stdin, capture_output=True, cwd=OUT)
    return done.returncode, done.stderr.decode(errors="replace")


def without(words, option):
    return [word for word in words if word.split("=")[0] != option]


def carry_out(words, proposal, message):
    """The command as the proposal changes it. "leave --x out" takes the option from it; "A => B" stands for words that
    have to be filled in: "+more words", or another command. Otherwise the words are in the message, and are added to the
    command."""
    said, _, instead = proposal.partition(" => ")
    if said.startswith("leave -"):
        option = said.split()[1]
        check(re.search(rf"leave ([^;,]* or )?{option}\b.* out|leave (it|one of them) out", message, re.I),
              f"'{message}' does not say to leave {option} out")
        return without(words, option)
    check(said in message, f"'{said}' is not in '{message}'")
    if not instead:
        return words + shlex.split(said)
    return words + shlex.split(instead[1:]) if instead[0] == "+" else shlex.split(instead)


CASES = []  # command, files that it reads, what it says to do


def case(line, *proposals, **files):
    """"# --x": the option is named, but not proposed."""
    CASES.append((line, files, proposals))


# ---- The command line ----

case("train --help nothing t.csv", "reading => train --help reading")
case("train --epocs=2 t.csv o.m", "is --epochs meant => train --epochs 2 t.csv o.m",
     "perceptron train --help => train --help")
case("train --xyzzy t.csv o.m", "see perceptron train --help => train --help")
case("train", "see perceptron train --help => train --help")
case("train t.csv o.m -e", "see perceptron train --help => train --help")
case("nonsense t.csv", "see perceptron --help => --help")
case("trian t.csv o.m", "is train meant => train t.csv o.m", "See perceptron --help => --help")
case("predict --text-column=a words.csv words.m")
case("predict --hash=5 mail.tsv hash.m", "leave --hash out")
case("train --resume=m --normalize=none t.csv o.m", "leave --normalize out")

# ---- What a table is ----

case("train d.csv o.m", "--sep ';'", **{"d.csv": "a;b;y\n1;2;p\n2;1;q\n3;2;p\n"})
case("train d.csv o.m", "--sep tab", "--text", **{"d.csv": "p\t1\nq\t2\np\t3\n"})
case("train d.csv o.m", "--header", "--header=no",
     **{"d.csv": '"note; free","y"\n"a; b",p\n"c; d",q\n"a; b",p\n'})
case("train --format=csv d.csv o.m", "--sep ';'", **{"d.csv": "a;y\n1;p\n2;q\n"})
case("train --format=csv d.csv o.m", "--sep => +--sep ' '", **{"d.csv": "a y\n1 p\n2 q\n"})
case("predict --format=csv d.csv m", "--sep says => +--sep ' '", **{"d.csv": "a b c\n1 2 3\n2 3 4\n"})
case("train --test=d.csv t.csv o.m", "perceptron predict with --sep ';' => predict --sep ';' d.csv m",
     **{"d.csv": "a;b;c;y\n1;2;3;p\n"})
case("predict d.csv left.m", "--ignore NUMBER => +--ignore 1", **{"d.csv": "0.5,1,2\n"})
case("train d.csv o.m", "--ignore 2 --ignore 4", **{"d.csv": "a,a,b,b,y\n1,2,3,4,p\n2,3,1,2,q\n"})
case("train --resume=m d.csv o.m", "--label says which it is => +--label z", **{"d.csv": "a,b,c,z\n1,2,3,p\n2,3,4,q\n"})
case("train --resume=m d.csv o.m", "--ignore 'd' --ignore 'e'", **{"d.csv": "a,d,b,c,e,y\n1,2,3,4,5,p\n2,3,4,5,6,q\n"})
case("train --resume=m d.csv o.m", "--ignore 'd'", **{"d.csv": "a,d,b,c,y\n1,2,3,4,p\n2,3,4,6,q\n"})
case("train --ignore=a --nominal=a t.csv o.m", "left out by --ignore => train --nominal=a t.csv o.m")
case("train --text-column=a --nominal=a t.csv o.m", "leave --nominal out", "leave --text-column out")
case("train --max-dim=2 t.csv o.m", "--max-dim => +--max-dim 3")
case("predict d.csv numbered.m", "--label and --ignore leave columns out => +--ignore 4 --ignore 5", **{"d.csv": "1,7,3,9,5\n"})
case("predict d.csv raw.m --missing=mean", "--missing zero", **{"d.csv": "a,b,c\n1,,3\n"})
case("train d.csv o.m", "--text", "--sep tab", **{"d.csv": "ham\tyou, me\nspam\twin, now, free\n"})
case("train --header=no d.csv o.m", "--text => train --text d.csv o.m", "--sep tab",
     **{"d.csv": "ham\tyou, me, here\nspam\twin, now\n"})
case("train --format=csv --header=no d.csv o.m", "--text => train --text d.csv o.m",
     **{"d.csv": "ham\tyou, me, here\nspam\twin, now\n"})
case("train d.arff o.m", "--header=no => train --header=no d.csv o.m",
     **{"d.arff": "@relation w\n@data\n1,u\n2,v\n", "d.csv": "1,u\n2,v\n"})
case("train --label=1 d.csv o.m", "--missing zero", "--missing zero, mean or drop => +--missing mean",
     **{"d.csv": "y,a\n?,1\np,2\nq,3\np,3\n"})
case("train d.csv o.m", "--format csv", **{"d.csv": "#a,y\n1,p\n2,q\n3,p\n"})
case("predict d.csv m", "--missing zero", **{"d.csv": "a,b\n1,2\n"})
case("train --resume=m d.csv o.m", "train without --resume => train d.csv o.m", **{"d.csv": "a,b,y\n1,2,p\n2,3,q\n"})

# ---- Values ----

case("train gaps.csv o.m", "--missing zero", "--missing zero, mean or drop => +--missing mean",
     "--missing zero, mean or drop => +--missing drop")
case("train d.csv o.m", "--dates 'a:dmy'", "--dates 'a:mdy'", **{"d.csv": "a,b,y\n1/2/2026,1,p\n3/4/2026,2,q\n"})
case("train d.csv o.m", "--dates 'a:dmy' --dates 'b:dmy'", "--dates 'a:mdy' --dates 'b:mdy'",
     **{"d.csv": "a,b,y\n1/2/2026,1/3/2026,p\n3/4/2026,3/1/2026,q\n"})
case("train d.csv o.m", "--ignore 'a'", "--gap 'x' --missing zero", **{"d.csv": "a,b,y\n1.2.2026,1,p\nx,2,q\n2.3.2026,1,p\n3.2.2026,2,q\n"})
case("train --dates=a:ymd d.csv o.m", "--ignore 'a' => train --ignore a d.csv o.m", "--dates 'a:dmy' => train --dates a:dmy d.csv o.m",
     **{"d.csv": "a,b,y\n28.2.2026,1,p\n2.3.2026,1,p\n3.2.2026,2,q\n"})
case("train d.csv o.m", "--missing mean --ignore 'a'", **{"d.csv": "a,b,y\n1.2.2026,1,p\n2.3.2026,NA,q\nx,1,q\n3.2.2026,2,q\nz,1,p\n4.2.2026,1,q\n"})
case("train --online --missing=zero d.csv o.m", "--dates 'a:ymd'", "--ignore 'a'", **{"d.csv": "a,b,y\n,1,p\n2026-11-28,2,q\n"})
case("train --dates=a:ymd --nominal=a d.csv o.m", "leave --dates out", "leave --nominal out", **{"d.csv": "a,b,y\n2026-11-28,1,p\n2026-11-29,2,q\n"})
case("train --dates=a:ymd --dates=1:dmy d.csv o.m", "leave one of them out => train --dates a:ymd d.csv o.m",
     **{"d.csv": "a,b,y\n2026-11-28,1,p\n2026-11-29,2,q\n"})
case("train --dates=a t.csv o.m", "give COLUMN:dmy => train --dates b:dmy t.csv o.m", "--dates")
case("train --resume=m d.csv o.m", "--ignore 'b'", "train without --resume => train --missing mean d.csv o.m",
     **{"d.csv": "a,b,c,y\n1,,3,p\n1,2,4,q\n"})
case("train d.csv o.m", "--ignore 'a'", "--nominal 'a'", "--gap 'x' --missing zero",
     **{"d.csv": "a,b,y\n1,2,p\nx,3,q\n4,5,p\n6,7,q\n"})
case("train --missing=mean d.csv o.m", "--gap '.'", "--ignore 'a'", "--nominal 'a'", **{"d.csv": "a,b,y\n1,2,p\n.,3,q\n4,5,p\n6,7,q\n"})
case("train d.csv o.m", "--text-column 'a'", "--ignore 'a'", **{"d.csv": "a,b,y\n1,2,p\nsee you,3,q\n4,5,p\n6,7,q\n"})
MANY = "a,b,c,y\n1,2,3,p\nx,3,4,q\ny,5,u v,p\n6,,1,q\n7,8,2,q\n"
case("train d.csv o.m", "--missing mean --nominal 'a' --text-column 'c'", "--missing mean --ignore 'a' --ignore 'c'",
     **{"d.csv": MANY})
for way in "--online", "--products=all":
    case(f"train {way} d.csv o.m", "--missing zero --nominal 'a' --text-column 'c'", "--missing zero --ignore 'a' --ignore 'c'",
         **{"d.csv": MANY})
case("predict d.csv m", "--ignore 'a'", **{"d.csv": "a,b,c\nx,1,2\n"})
case("predict d.csv m", "--missing zero --ignore 'a' --ignore 'c'", **{"d.csv": MANY})
case("train d.svm o.m", "--zero-based", **{"d.svm": "1 0:1 1:2\n-1 1:1\n"})
case("train d.svm o.m --max-dim=2", "--max-dim => +--max-dim 3", **{"d.svm": "1 1:1 3:2\n-1 1:1\n"})
case("train d.svm o.m", "--sort", **{"d.svm": "1 3:1 1:2\n-1 1:1\n"})
case("train d.svm o.m", "--word-labels", **{"d.svm": "x 1:1 3:2\nz 1:1\n"})
case("train --text mail.tsv o.m --max-dim=3", "--max-dim => +--max-dim 100")
case("train --weight-column=b d.csv o.m", **{"d.csv": "a,b,y\n1,1,p\n2,,q\n"})
case("train --weight-column=b d.csv o.m", **{"d.csv": "a,b,y\n1,1,p\n2,-1,q\n"})
case("train d.csv o.m", **{"d.csv": "sep=,\na,y\n1,p\n2,q\n"})
case("train d.svm o.m", **{"d.svm": "1 qid:1 1:2\n2 qid:1 1:1\n"})

# ---- Texts and products ----

case("train d.txt o.m", "--text", **{"d.txt": "__label__ham see you\n__label__spam win\n"})
case("train --text d.txt o.m", **{"d.txt": "see you\nwin\n"})
case("predict --hash=4 --text mail.tsv mail.m", "leave --hash out")
case("train --features=9 --text --hash=4 mail.tsv o.m", "leave --hash out", "leave --features out")
case("train --products=all --features=9 t.svm o.m", "leave --features out")
case("predict --text mail.tsv m", "leave --text out")
case("predict --text mail.tsv svm.m", "leave --text out", "# --hash")
case("train --features=9 --text mail.tsv o.m", "--hash BITS => train --hash 4 --text mail.tsv o.m")
case("train --products='a*y' t.csv o.m")
case("train --products='a*z' t.csv o.m")
case("train --products='free*bridge' --text mail.tsv o.m")
case("train --products=all d.csv o.m", **{"d.csv": "a*b,c,y\n1,2,p\n2,1,q\n"})
case("train --products=all --max-dim=100 d.csv o.m", "--products 'A*B' => train --products 'c1*c2' --max-dim 100 d.csv o.m",
     "--max-dim => +--max-dim 10000", **{"d.csv": ",".join(f"c{k}" for k in range(60)) + ",y\n" + "1," * 60 + "p\n" +
                                           "2," * 60 + "q\n"})

# ---- train ----

case("train -a kernel --budget=3 --policy=oldest --decision=averaged t.svm o.m", "leave --decision out",
     "--decision last")
case("train --resume=arow.m --decision=averaged t.csv o.m", "leave --decision out",
     "train anew => train -a arow --decision averaged t.csv o.m")
case("train --online --resume=pair.m --weight=p=2 t.csv o.m", "train anew, with -a arow => train --online -a arow --weight=p=2 t.csv o.m")
case("train --online --epochs=3 t.csv o.m", "-e out => train --online t.csv o.m")
case("train --online --order=each t.csv o.m", "leave --order out")
case("train --online --stop=clean t.csv o.m", "leave --stop out")
case("train --online --checkpoint=2 t.csv o.m", "runs of --resume => train --online --resume m t.csv o.m")
case("train --online --shards=2 t.csv o.m", "leave --shards out")
case("train --online --batch=2 t.csv o.m", "leave --batch out")
case("train --online --validate=.2 t.csv o.m", "--predict tests each => train --force --online --predict p.txt t.csv o.m")
case("train --online --patience=2 t.csv o.m", "leave --patience out")
case("train --online --pocket t.csv o.m", "-a averaged => train --online -a averaged t.csv o.m")
case("train --online --measure t.csv o.m", "--measure works without --online => train --measure t.csv o.m")
case("train --online --folds=3 t.csv", "--folds works without --online => train --folds 3 t.csv")
case("train --online --trace t.csv o.m", "-e 1 --order file => train --trace -e 1 --order file t.csv o.m")
case("train --online --normalize=maxabs t.csv o.m", "take standard or l2 => +--normalize standard",
     "take standard or l2 => +--normalize l2")
case("train --online --missing=mean --normalize=none gaps.csv o.m", "take --missing zero or drop => +--missing drop",
     "--missing zero", "only --normalize standard")
case("train --online -a kernel --kernel rbf t.csv o.m", "--gamma => +--gamma 1")
case("train --weights=w.txt --weight-column=a t.csv o.m", "give one of them => train --weight-column=a t.csv o.m",
     "give one of them => train --weights w.txt t.csv o.m", **{"w.txt": "1\n" * 40})
case("train --weights=- t.csv o.m", "only rows => +--weights w.txt", **{"w.txt": "1\n" * 40})
case("train --resume='bare linear.m' t.svm o.m", "--resume takes a model file => train --resume svm.m t.svm o.m")
case("train --resume=m --probabilities t.csv o.m", "--online calibrates => +--online",
     "training anew => train --probabilities t.csv o.m")
case("train --online --weight=balanced t.csv o.m", "give LABEL=W => train --online --weight p=2 t.csv o.m")
case("train --text --normalize=standard mail.tsv o.m", "leave --normalize out")
case("train -e 1 --normalize=standard --online t.svm o.m", "--features says => +--features 7")
case("train --validate=.01 t.csv o.m", "hold back another part => +--validate .2")
case("train --normalize=standard d.csv o.m", "--ignore => +--ignore id",
     "--nominal => +--nominal id", **{"d.csv": "id,a,y\n98765432109876543,1,p\n12345678901234567,2,q\n"})
case("train --normalize=standard d.csv o.m", **{"d.csv": "a,y\n1.5e17,p\n2e17,q\n2.5e17,p\n3e17,q\n"})
case("train -a balanced-winnow long.csv o.m")
case("train --classes=1 t.csv o.m", "give a number from 2 on, or labels => +--classes 2",
     "labels with commas => +--classes p,q")
case("train --resume=m --classes=p,q t.csv o.m", "a number says => +--classes 3")
case("train --classes=p, t.csv o.m", "two labels at least => +--classes p,q")
case("train --resume=m --fixed d.csv o.m", "--fixed takes nothing new => train --resume m d.csv o.m",
     **{"d.csv": "a,b,c,y\n1,2,3,p\n2,3,4,z\n"})
case("train --classes=p,z t.csv o.m", "not one of the --classes => +--classes p,q,z")
case("train --online -a winnow --features=7 three.svm o.m", "--classes A,B,C => +--classes 1,2,3")
case("train --online --classes=2 three.csv o.m", "--classes says how many => +--classes 3")
case("train --resume=maxabs.m --online d.svm o.m", "# --normalize", "without --online => train --resume maxabs.m d.svm o.m",
     **{"d.svm": "1 1:1 9:1\n-1 2:1\n"})
case("train --online -a winnow three.svm o.m", "--features => +--features 7",
     "--hash with --text => train --online -a winnow --text --hash 4 mail.tsv o.m")
case("train --features=2 t.svm o.m", "--features says => +--features 7")
case("train --normalize=standard --rows=sparse t.svm o.m", "leave --rows out")
case("train --missing=drop d.csv o.m", "--ignore leaves a column out => +--ignore a", "--missing mean",
     **{"d.csv": "a,b,y\n,1,p\n,2,q\n"})
case("train --missing=zero d.csv o.m", "--label => +--label y", **{"d.csv": "y,a,b\np,2,\nq,1,\n"})
case("train d.csv o.m", "--label says which column => +--label y", **{"d.csv": "y,a,b\np,2,1\nq,1,1\nq,2,1\n"})
case("train --features=9 t.csv o.m", "leave --features out")
case("train --resume=last3.m --policy=forgetron three.svm o.m", "oldest => +--policy oldest",
     "random => +--policy random", "projectron => +--policy projectron")
case("train --resume=kernel.m --budget=1 t.svm o.m", "give as many or more => +--budget 100")
case("train --text --letters=4-2 mail.tsv o.m", "such as 2-4 => train --text --letters 2-4 mail.tsv o.m")
case("train --resume=last.m --policy=stop t.svm o.m", "such as oldest => +--policy oldest")
case("train --resume=kernel.m --budget=100 --policy=oldest t.svm o.m", "leave --policy out",
     "train anew => train -a kernel --budget 100 --policy oldest t.svm o.m")
case("compare --by=auc three.csv", "--by logloss asks => compare --by=logloss three.csv")
case("train --folds=50 t.csv", **{"d.csv": ""})
case("train --online --predict=- --json t.csv o.m", "--json => train --force --online --predict=p.txt --json t.csv o.m")
case("train --online --predict=said.txt t.csv o.m", "--force", **{"said.txt": "not what this program wrote\n"})
case("train --checkpoint=2 t.csv -", "name a file => train --checkpoint=2 t.csv o.m")
case("train --json t.csv -", "name a MODEL => train --json t.csv o.m")
case("train --test=- - o.m", "DATA and --test => train --test t.csv t.csv o.m")
case("train t.csv notes.txt", "-t => train t.csv -t u.csv", "--force => train --force t.csv copy.txt", **{"copy.txt": "x"})
case("train --folds=3 t.csv o.m", "leave o.m out => train --folds=3 t.csv")
case("train --plot=notes.txt t.csv o.m", "--force => train --force --plot copy.txt t.csv o.m", **{"copy.txt": "x"})
case("train --trace --blank=900 tiny.svm o.m")
case("train --trace --angle d.svm o.m", **{"d.svm": "1 1:1\n-1 1:1\n"})

# ---- predict and show ----

case("predict svm.m t.svm", "perceptron predict t.svm svm.m => predict t.svm svm.m")
case("predict --image t.svm svm.m", "leave --image out")
case("predict t.svm 'bare linear.m'", "--image")
case("predict --image t.svm bare.m", "--decision last", "averaged or voted => +--decision averaged",
     "averaged or voted => +--decision voted")
case("predict --decision=last t.csv m", "leave --decision out")
case("predict --decision=averaged t.svm last.m", "leave --decision out")
case("predict --format=libsvm --word-labels d.csv svm.m", "--format csv", **{"d.csv": "1,2,3\n4,5,6\n"})
case("predict --probabilities t.csv m", "train --probabilities => train --probabilities t.csv o.m", "--scores prints => predict --scores t.csv m")
case("predict --refuse=.2 t.csv m", "train --probabilities => train --probabilities t.csv o.m",
     "--refuse-share needs none => predict --refuse-share .2 t.csv m")
case("predict --refuse-share=.2 --text mail.tsv answers.m")
case("predict --json t.csv m -", "name an OUTPUT => predict --force --json t.csv m p.txt")
case("predict --scores --probabilities t.csv m", "choose one => predict --scores t.csv m")
case("predict --refuse=.2 --refuse-share=.1 t.csv m", "choose one => predict --refuse-share=.1 t.csv m")
case("predict -s --json t.csv m", "give an OUTPUT => predict --force -s --json t.csv m p.txt")
case("predict --roc=p.svg t.csv m p.svg", "--roc and OUTPUT => predict --force --roc=p.svg t.csv m p.txt")
case("predict --explain t.svm kernel.m", "show prints => show kernel.m")
case("predict --explain t.csv m notes.txt", "--force => predict --force --explain t.csv m copy.txt", **{"copy.txt": "x"})
case("predict t.csv m notes.txt", "--force => predict --force t.csv m copy.txt", **{"copy.txt": "x"})
case("predict d.csv m", "--ignore-labels", "--label says => +--label z",
     **{"d.csv": "a,b,c,y,z\n1,2,3,u,p\n2,3,4,v,q\n"})
case("predict --roc=r.svg d.csv m", **{"d.csv": "a,b,c,y\n1,2,3,p\n2,3,4,p\n"})
case("show --csv kernel.m", "--json => show --json kernel.m")
case("show --list m", "# --policy", "train -a voted => train -a voted t.csv o.m")
case("show --names=n.txt m", "leave --names out", **{"n.txt": "a\nb\nc\n"})
case("show --names=n.txt --zero-based svm.m", "choose one => show --names=n.txt svm.m",
     "choose one => show --zero-based svm.m", **{"n.txt": "a\nb\nc\nd\ne\nf\ng\n"})
case("show --names=- -", "MODEL and --names => show --names=n.txt svm.m", **{"n.txt": "a\nb\nc\nd\ne\nf\ng\n"})

# ---- export and import ----

case("export --name=1x m", "give a C identifier => +--name x1")
case("export long.m", "--as arrays --bits 16 has => +--as arrays +--bits 16")
case("export longest.m", "--normalize standard => train --normalize standard long.csv o.m",
     "--as arrays --bits 16 has => export --as arrays --bits 16 long.m o.h")
case("export --as=arrays --predict letters.m", "leave --predict out => export --as arrays letters.m o.h",
     "train without --letters => train --text mail.tsv o.m")
case("export rbf.m", "train on scaled rows => train -a kernel --kernel rbf --normalize none t.svm o.m")
case("export --as=arrays kernel.m", "--as image")
case("export --format=liblinear voted.m", "use --format libsvm or c => +--format c", "--format libsvm")
case("export --format=libsvm kernel3.m", "--format c")
case("export --format=libsvm voted.m", "--decision last", "or averaged => +--decision averaged")
case("export l2.m", "train with --normalize standard => train --normalize standard t.csv o.m")
case("export --bits=8 --unit=1 m", "leave --unit out")
case("export --as=arrays --progmem --predict mail.m", "leave --predict out")
case("export --as=arrays --predict mail2.m", "# --bits", "train without l2 => train --text mail.tsv o.m",
     "--words binary => train --text --normalize l2 --words binary mail.tsv o.m")
case("export --as=arrays --predict weighed.m", "leave --predict out",
     "--words binary => train --text --products all --words binary mail.tsv o.m")
case("export --format=liblinear mail.m", "--format c")
case("export --as=raw mail.m", "--as image", "image or arrays => +--as arrays")
case("export weighed.m", "--words binary => train --text --products all --words binary mail.tsv o.m",
     "--normalize none => train --products all -a kernel --normalize none t.csv o.m")
case("export --format=liblinear products.m", "--format c")
case("export --as=raw products.m", "--as image", "image or arrays => +--as arrays")
case("export --as=arrays --progmem products.m", "leave --progmem out")
case("export --bits=8 products.m", "leave --bits out")
case("export --as=arrays --predict ones.m", "leave --predict out", "train without l2 => train --products all numbers.csv o.m")
case("export --json --bits=8 --test=t.csv m", "name an OUTPUT => export --force --json --bits=8 --test=t.csv m o.h")
case("export --bits=8 --test=- -", "MODEL and --test => export --bits=8 --test=t.csv m")
case("export --bits=8 kernel.m", "leave --bits out")
case("export m notes.txt", "--force => export --force m copy.txt", **{"copy.txt": "x"})
case("export --format=liblinear m", "--format c")
case("export --format=liblinear same.m", "--format c")
case("import notes.txt m.txt")
case("import liblinear.txt notes.txt", "--force => import --force liblinear.txt copy.txt", **{"copy.txt": "x"})
case("export --bits=8 --image 'bare linear.m'", "--test DATA => +--test t.svm", "--unit gives one => +--unit .01")
case("export --bits=8 --unit=900 svmraw.m", "leave --unit out", "--bits 16", "--test DATA => +--test t.svm")
case("export --bits=8 huge.m", "train with --normalize => train --normalize standard huge.svm o.m", "--bits 16",
     "--test DATA => +--test huge.svm")
case("export --bits=8 --unit=900 --test=t.svm svmraw.m", "--force", "leave --unit out")
case("export --bits=8 --test=huge.svm huge.m", "Take --bits 16 => +--bits 16", "--force",
     "--normalize standard or maxabs => train --normalize maxabs huge.svm o.m")
case("export --bits=16 --test=far.svm svmraw.m", "--force", "--normalize standard or maxabs => train --normalize standard huge.svm o.m")
case("export --bits=8 imported.m", "--test DATA => +--test t.svm", "--unit gives one => +--unit .01",
     "train --resume => train --resume imported.m t.svm o.m")
for options, file, says in (
        ("-a kernel", "t.svm", "-a averaged"), ("-a winnow", "t.svm", "-a averaged"),
        ("--normalize l2", "t.csv", "--normalize standard"), ("--normalize maxabs", "t.csv", "--normalize standard"),
        ("--products all --normalize none", "t.csv", "without --products => train t.csv o.m"),
        ("--rows sparse --normalize none", "t.csv", "--rows dense"),
        ("--missing mean --normalize none", "gaps.csv", "--normalize standard")):
    MODELS["not.m " + options] = f"{options} {file}"
    case(f"export --as=trainer 'not.m {options}'",
         says if " => " in says else f"train with {says} => train --missing mean {says} {file} o.m")
MODELS.update({"sure.m": "-a arow --final t.csv", "batches.m": "--batch 4 t.csv", "weights.m": "-a averaged --weight p=2 t.csv",
               "binary.m": "--binarize t.csv"})
case("export --as=trainer sure.m", "train -a arow without --final => train -a arow t.csv o.m")
case("export --as=trainer batches.m", "train without --batch => train t.csv o.m")
case("export --as=trainer weights.m", "train without --weight and --weight-column => train t.csv o.m")
case("export --as=trainer binary.m", "# --binarize", "train without, on rows of 0 and 1 => train t.csv o.m")
case("import --like=- -", "--like and FILE => import --like m t.csv")


# ---- What the sources say ----

def literals(path):
    """The texts of a source with what stands before them, adjacent ones joined."""
    source = re.sub(r"/\*.*?\*/", " ", open(path).read(), flags=re.S)
    for found in re.finditer(rf"(?:{STRING}|[A-Z_]+(?=\s*\"))(?:\s*(?:{STRING}|[A-Z_]+(?=\s*\")))*", source):
        parts = re.findall(rf"{STRING}|[A-Z_]+(?=\s*\"|$)", found[0])
        yield "".join(part[1:-1] if part[0] == '"' else "%s" for part in parts), source[:found.start()].rstrip()


def proposing(path):
    """Those that name an option or say what to leave out, but for tables of options, whose needs options.py tries."""
    if path.endswith(("learn/train_needs.c", "learn/rules.c")):  # such tables are all that they have
        return
    for text, before in literals(path):
        table = re.search(r"(\.(help|usual|preset|words)\s*=|NEED\([^\"]*|option_(need|table) \w+ = \{\s*|=\s*\{\"[^\"]*\", \"[^\"]*\",(\s*\"[^\"]*\",)?)$", before)
        if re.search(r"--[a-z]|leave .*out|leaves .*out", text) and not table:
            yield text


def pattern(text):
    """What it may become."""
    text = text.replace('\\"', '"').replace("\\\\", "\\")
    parts = re.split(r"%[-+0-9.*]*(?:l|ll|z)?[a-z]|%%", text)
    return re.compile(".*".join(re.escape(part.replace("\\n", "\n")) for part in parts), re.S)


NO_ERRORS = ("train/ways.c", "train/compared.c", "train/results.c", "learn/advice.c", "learn/progress.c", "train/telltale.c")  # what is advised, printed, tried
OTHERS = {  # the beginning of a text: why no case shows it
    " * It only predicts": "in a comment", " * It goes on learning": "in a comment", "FILE: ": "--help",
    "OUTPUT: ": "--help", "MODEL: ": "--help", "The weights are those": "--help", "More: perceptron": "--help",
    "perceptron COMMAND --help": "--help", "--help": "a word", "--man": "a word", "--version": "a word", "--json": "a word",
    "--quiet": "a word", "--folds=": "a word", "--seconds=": "a word", "--by=": "a word", "advice: ": "no error",
    "The matrix is too wide": "no error", "All rows are refused": "no error", "not for this training": "in a table", "1 stands for": "no error",
    "all take longer than": "compare.py asks for it", "%s: damaged": "nothing can be done",
    "--normalize standard needs all rows in one process": "mpi.sh asks for it",
    "Take --bits 16, or look for values": "no table is known whose scaled columns lose a point",
    "%s: two features have one name": "no file is known that has them",
}


def shape(message):
    """Without what stands in quotes, and numbers: the same error of another value is the same."""
    return re.sub(r"'.*?'|[\d.]+", "", message)


def carry_out_all():
    """Returns what all commands have said."""
    messages = []
    for line, files, proposals in CASES:
        for name, content in files.items():
            put(name, content)
        status, message = command(line)
        messages.append(message)
        check(status in (1, 2) and message.count("\n") == 1, f"'{line}' is no error: {status} '{message}'")
        named = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", re.sub(r"'.*?'", "", message)))
        tried = " ".join((line, *proposals))
        check(not [option for option in named if option not in tried], f"'{line}': {named} are named, not all tried: {message}")
        for proposal in (proposal for proposal in proposals if proposal[0] != "#"):
            for name, content in files.items():
                put(name, content)
            words = carry_out(shlex.split(line), proposal, message)
            status, after = command(words)
            check(status == 0 or (status in (1, 2) and shape(after) != shape(message)),
                  f"'{line}' says\n  {message}  {proposal}: {words} says\n  {after}")
    return messages


def main():
    prepare()
    messages = "".join(carry_out_all())
    for path in SOURCES:
        for text in proposing(path):
            if not path.endswith(NO_ERRORS) and not text.startswith(tuple(OTHERS)):
                check(pattern(text).search(messages), f"{path}: no case shows '{text}'")
    finish()


if os.name != "posix":
    skip("commands are taken apart as a shell does")
    finish()
main()
