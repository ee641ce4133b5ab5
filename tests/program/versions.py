"""Models of version 0.1: files that its program wrote, and the labels and scores that it gave for the rows learned."""
import base64
import struct
import zlib

from cli import OUT, check, finish, get, must, put, refused, run, train

TWO = "1 1:1 2:-0.5\n-1 1:-1 3:2\n1 2:1 3:0.5\n-1 2:-2 3:1\n1 1:0.5\n-1 1:-2 2:0.5 3:-1\n"
PLAIN = "spam 1:1 2:1\nham 3:1\nspam 2:1 4:1\nham 3:1 4:1\n"
THREE = "wide,high,kind\n4,1,oak\n-2,8,elm\n3,2.5,ash\n5,0,oak\n-1,7,elm\n2,3,ash\n"
READ = {TWO: [], PLAIN: ["--words"], THREE: ["--label", "kind"]}
MODELS = [  # options of train; rows; the file, compressed; predict --scores
    ("", TWO,
     "c-jka_LE{{U|?VZVrD1?@nOIQN;5-gCNyyd1_cKOh6DBxcEf%Kh6Eu00}wkL016ynKm#vAj(lfCvjYJd?75KSn4nnK5F}y<QzT*k"
     "MHXaVfU{o!0M}&>-~",
     "1 0.786885202 -1 -3.31147528 1 0.434426248 -1 -3.6721313 1 0.254098356 -1 -5.21311474"),
    ("-a perceptron --normalize maxabs --seed 7", THREE,
     "c-jka_LE{{U|?VZVi?WLfB-g7S{jXpiBFp;xu1byg8kVuJO>yUZrB?b8#^#Cm;l)g_7D{f`_1AWond4^1x#>OgFP3JWQX#Yp*XQP"
     "14O0f<btUD#B7iT79cLqOi2aN8JX!BAhEM&eC&Xf-SYT@LWw{|fU{o!08HH*!~",
     "oak 0.66062516 -1.54906261 0.888437033 elm 2.36499977 2.56750011 -4.93249989 ash 0.991562605 "
     "-0.792656302 -0.19890666 oak 0.400000215 -2.20000005 1.79999924 ash 2.10437489 1.91656256 "
     "-4.02093744 ash 1.18187511 -0.247187555 -0.934687734"),
    ("-a perceptron --pocket --zero-class negative -B 2", TWO,
     "c-jka_LE{{U|@h@W++WOaBu(-Kx_}<eREN`hO8gWEC((mF(xS1H3W$m!WB(F{10SSfU{o!0NV8k+W",
     "1 2 -1 -2 1 2.25 -1 -3.5 1 1.5 -1 -5.5"),
    ("-a winnow2 --words --alpha 1.5", PLAIN,
     "c-jka_LE{{U|?VZVnHBg0b&pz1~i~FGa9V{S8>3efg!?yfuR9N3xMbYQU^rs)fYUl2gynum<py7w?}Pdgqn{Ha3R?X($567D<d%%"
     "q@}nZF&C!vj^KsW?m#-g*)IS9^ZXP@",
     "spam 0.875 ham -3 spam 1.625 ham -0.75"),
    ("-a balanced-winnow --words", PLAIN,
     "c-jka_LE{{U|?VZVnHBg0b&pz1~i~F6B@0-fD8`U1Mz+oA%+H^SOZ+_NBF@?kh!c3*Z~)cy$$vtdzgVZBQY1`q~e0aT$rTwzIj*N"
     "fpmbgUjP70ybuu",
     "spam 1.5 ham -1.5 spam 1.5 ham -1.5"),
    ("-a voted -e 2", TWO,
     "c-jka_LE{{U|?VdVh1P<<AX2{0|YQbX(lKQ6K7;V2MzWhF-|OUATwBz%w_>%HY7d+!wR4i8tfPt7J%seAhRGe!vP?MvF*`}JpfS$"
     "w|_q)iro$N%t-DA$%E|OV;kPc2(_OHiyxSf%wU3IT|<zFAxzQg=gMIqdjp*P0s!x?76J",
     "1 12 -1 -12 1 8 -1 -6 1 12 -1 -12"),
    ("-a kernel --gamma 0.5 --normalize l2 -e 3", TWO,
     "c-jka_LE{{U|?VdVh1P<;<G@p5Ca6TpwTdKW(GL0hcQ6<d7v~h0I6k#(lC8&NPJEx%>=~%|JU0iV+MwX{Xh(-n@ZyM1F>CG$^CtL"
     "KU3`Wem>a;vj@oE59HfH+4e9t1T^etL~&b#JrmSUm^=%LzZ&d8ZrpP0%Px=}b|n8WqWKNRhnc5q2of=bDT#O1T?Y!I0B64d0G?zo"
     "6a",
     "1 0.544937134 -1 -0.121282458 1 0.676821053 -1 -0.498277426 1 0.746127248 -1 -0.728258014")]
# -a voted --budget 2 --policy forgetron, which is no model any more
FORGETFUL = (
    "c-jka_LE{{U|?WofB+B;;xj?{Hc*-cNgi38kpUev*n`B_5ON0@kn|#B2w30%#P&da`$2l4f(IaMFn>Qt;NziZO)zsAu-M6k<Q66<"
    ")-?o)7{V0wDJ0$inHS*f7XSc4C=sg")


def unpacked(name, text):
    return put(name, zlib.decompress(base64.b85decode(text)))


def near(one, other):
    """Labels are the same; scores are, but for another order of sums."""
    if one[:1].isalpha():
        return one == other
    return abs(float(one) - float(other)) <= 1e-5 * max(1, abs(float(other)))


def remade(model, place, word):
    """The same with another word in the section of version 1, and its checksum."""
    length = struct.unpack("<I", model[-8:-4])[0]
    section = bytearray(model[-12 - length:-12])
    section[4 * place:4 * place + 4] = struct.pack("<I", word)
    return model[:-12 - length] + section + struct.pack("<I", zlib.crc32(section)) + model[-8:]


def test_old_models():
    for number, (options, rows, text, scores) in enumerate(MODELS):
        model, data = unpacked(f"old {number}", text), put(f"rows {number}", rows)
        got = must("predict", "-q", "-s", "--no-header", *READ[rows], data, model).split()
        check(len(got) == len(scores.split()) and all(map(near, got, scores.split())), f"{options}: {got}, {scores}")
        shown = must("show", model)
        for option in ("seed 7", "bias 2", "normalize maxabs", "zero-class negative", "gamma 0.5", "alpha 1.5\n"):
            given = f"--{option}" in options.replace("-B", "--bias") + "\n"
            check((f"--{option}" in shown) == given, f"{options}: {shown}")
        status, _, err = run("train", "--resume", model, *READ[rows], "-e", "3", data, OUT + "/on")
        check(status == 0 and "is of version 0.1, which did not remember --rule" in err, f"{options} --resume: {err}")
        quiet = train(data, "--resume", model, *READ[rows], "-e", "3", model="quiet")
        check(get(quiet) == get(OUT + "/on"), f"{options}: the same without a word")
        again = run("train", "--resume", quiet, *READ[rows], data, OUT + "/on")
        check(again[0] == 0 and "0.1" not in again[2], f"{options}: it is of this version now: {again}")


def test_too_old():
    model = unpacked("forgets", FORGETFUL)
    refused(2, f"{model}: of version 0.1, and no longer to be read: train anew: perceptron train -a voted DATA {model}",
            "predict", put("two", TWO), model)


def test_damage():
    content = get(unpacked("old 0", MODELS[0][2]))
    section = len(content) - 12 - struct.unpack("<I", content[-8:-4])[0]
    data = put("two", TWO)
    for place in range(section, len(content)):
        bad = bytearray(content)
        bad[place] ^= 1
        check(run("predict", data, put("bad", bytes(bad)))[0] == 2, f"byte {place}")
    for place, word in ((0, 0), (0, 4), (1, 9), (2, 3), (4, 3), (6, 0x7f800000), (10, 3), (10, 0), (10, 1 << 31)):
        check(run("predict", data, put("bad", remade(content, place, word)))[0] == 2, f"{word} at {place}")
    for word in (0xbf800000, 0x7f000000):  # a bias below 0, one that is too large
        bad = put("bad", remade(content, 6, word))
        refused(2, "damaged: it remembers --bias", "train", "--resume", bad, data, OUT + "/n")
    most = remade(content, 8, 0xffffffff)
    check("--seed 4294967295\n" in must("show", put("most", most)), "the greatest seed")
    must("train", "--resume", OUT + "/most", data, OUT + "/n")
    check(run("predict", data, put("bad", remade(content, 0, 1)))[0] == 0, "remade as it was")


for test in (test_old_models, test_too_old, test_damage):
    test()
finish()
