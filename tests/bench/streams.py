"""The tables of streams.c, on the sets of the folder PCN_DATA; keeps those that a page quotes. From the project's root:
    PCN_DATA=/folder make bench-streams"""
import csv
import lzma
import os
import subprocess

import results

FOLDER = "build/bench_streams_data"
PLAIN = ["agaricus", "ewt", "letter", "rcv1small", "shuttle", "sms", "sonar", "spam", "vehicle"]


def text_of(name):
    path = os.path.join(os.environ["PCN_DATA"], name)
    with open(path, "rb") if os.path.exists(path) else lzma.open(path + ".xz") as f:
        return f.read().decode()


def write(name, text):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as f:
        f.write(text)


def libsvm(rows):
    """Text of rows (label, values)."""
    return "".join(f"{label} " + " ".join(f"{j}:{v}" for j, v in enumerate(values, 1) if v not in ("0", 0)) + "\n"
                   for label, values in rows)


def with_categories(train, test):
    """Texts of rows whose columns with words become a column of 0 and 1 for each word; the last one has the label."""
    parts = [list(csv.DictReader(text.splitlines())) for text in (train, test)]
    *names, label = parts[0][0]
    columns = []
    for name in names:
        try:
            float(parts[0][0][name])
            columns.append((name, None))
        except ValueError:
            columns += [(name, word) for word in sorted({row[name] for row in parts[0]})]
    classes = sorted({row[label] for row in parts[0]})
    return [libsvm((classes.index(row[label]), [row[name] if word is None else int(row[name] == word)
                                                for name, word in columns]) for row in rows) for rows in parts]


def prepare():
    """One libsvm file for each part of each set; debstream as it is. heart_scale and digits: four rows of five learn."""
    os.makedirs(FOLDER, exist_ok=True)
    for name in PLAIN:
        write(name + ".train.svm", text_of(name + ".train.svm"))
        write(name + ".test.svm", text_of(name + (".dev.svm" if name == "ewt" else ".test.svm")))
    for part, text in zip(("train", "test"), with_categories(*(text_of(f"diamonds.{p}.csv") for p in ("train", "test")))):
        write(f"diamonds.{part}.svm", text)
        write(f"sms.tfidf.{part}.svm", text_of(f"sms.{part}.tfidf.svm"))
    digits = libsvm((row[-1], row[:-1]) for row in csv.reader(text_of("digits.csv").splitlines()))
    for name, text in ("digits", digits), ("heart", text_of("heart_scale.svm")):
        rows = text.splitlines(keepends=True)
        write(name + ".train.svm", "".join(rows[:len(rows) * 4 // 5]))
        write(name + ".test.svm", "".join(rows[len(rows) * 4 // 5:]))
    write("debstream.tsv", text_of("debstream.tsv"))


def measured():
    """{table: {row: {column: value}}}, in the order in which they come."""
    told = subprocess.run(["build/bench_streams", FOLDER], capture_output=True, text=True, check=True).stdout
    tables = {}
    for table, row, column, value in (line.split("\t") for line in told.splitlines()):
        tables.setdefault(table, {}).setdefault(row, {})[column] = float(value)
    return tables


def lines(corner, rows, form="{:.2f}"):
    """The lines of a table; a row that is not all there has blanks, and texts stay as they are."""
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    yield [corner, *columns]
    yield "|---" * (len(columns) + 1) + "|"
    for name, row in rows.items():
        cells = (row.get(column, "") for column in columns)
        yield [name, *(cell if isinstance(cell, str) else form.format(cell) for cell in cells)]


def with_losses(rows):
    """Below designs that follow, what they lose against the better of the mean and the last weights."""
    shown = dict(rows)
    for name, of, better in (("lost by following", "averaged, following", ("averaged", "last weights")),
                             ("lost by AROW's", "AROW, regrowth 0.003, averaged, following",
                              ("AROW, averaged", "AROW, last weights"))):
        shown[name] = {column: f"{rows[of][column] - min(rows[b][column] for b in better):+.2f}"
                       for column in rows[of]}
    return shown


def excesses(tables):
    """Log-loss in the stream less that in hindsight; of several classes as a part of it. And {(set, model): excess}."""
    found = {(name, model): loss / tables["loss in hindsight"][name][model] - 1 if tables["shape"][name]["classes"] > 2
             else loss - tables["loss in hindsight"][name][model]
             for name, row in tables["loss"].items() for model, loss in row.items()}
    shown = {name: {model: f"{100 * found[name, model]:+.1f} %" if tables["shape"][name]["classes"] > 2
                    else f"{found[name, model]:+.4f}" for model in row} for name, row in tables["loss"].items()}
    return shown, found


def shares(tables, found):
    """How many models are near hindsight, and their calibration errors, of sets by their scored rows."""
    shown = {}
    for name, several, limit in ("two classes", False, 0.01), ("several classes", True, 0.03):
        for many in True, False:
            of = [key for key in found if (tables["shape"][key[0]]["classes"] > 2) == several
                  and (tables["shape"][key[0]]["rows"] >= 1500) == many]
            if not of:
                continue
            error, hindsight = (sum(tables[t][key[0]][key[1]] for key in of) / len(of)
                                for t in ("error", "error in hindsight"))
            shown[f"{name}, {'1,500 scored rows or more' if many else 'fewer'}"] = {
                "models": str(len(of)), "within 0.01, or 3 %": str(sum(found[key] <= limit for key in of)),
                "mean excess": f"{100 * sum(found[key] for key in of) / len(of):.2f} %" if several
                else f"{sum(found[key] for key in of) / len(of):.4f}",
                "ECE": f"{error:.3f}", "in hindsight": f"{hindsight:.3f}"}
    return shown


def main():
    if "PCN_DATA" not in os.environ:
        print("bench-streams: skipped: PCN_DATA does not name the folder with the data sets")
        return
    prepare()
    tables = measured()
    excess, found = excesses(tables)
    models = tables["scaling, models"]
    for row in models.values():
        row.update({"changed": f"{row['changed']:.0f}", "told": f"{row['told']:.0f}"})
    for name, part in {
            "following": lines("wrong, %", tables["following"]),
            "following, sets": lines("wrong, %", with_losses(tables["following, sets"])),
            "probabilities": lines("excess of log-loss", excess),
            "probabilities, shares": lines("", shares(tables, found)),
            "probabilities, 8 bits": lines("log-loss of test rows", tables["8 bits"], "{:.4f}"),
            "scaling, streams": lines("wrong, %", tables["scaling, streams"]),
            "scaling, models": lines("wrong, %", models),
            "scaling, a wild row": lines("wrong, %", tables["scaling, a wild row"])}.items():
        results.keep(name, list(part), "PCN_DATA=/folder make bench-streams; " + results.here())


if __name__ == "__main__":
    main()
