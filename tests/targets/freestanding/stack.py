"""Deepest stack of every public function, from gcc's -fcallgraph-info=su. Of the compiler's own library, which has no
such information, from the disassembly of library.c linked with it.

usage: stack.py perceptron.h FOLDER LABEL=LIMIT=library.ci...

Writes two tables, with a column for each LABEL: FOLDER/stack has a line for each function of the header, by the name
that programs call, FOLDER/shown one for each above SMALL and one for all others. library.dis beside library.ci: objdump
-dt. Fails on recursion, frames without a bound, a function that a .ci file does not know, more than LIMIT bytes, and more
than ROW for a row."""

import os
import re
import sys

ADDS = r'pcnp_add'
STEPS = r'pcnp_step_(?!up|if)'
UPDATES = r'pcn_update_'
DOTS = r'pcnp_\w+_of_dots'
HOOKS = {  # who calls through a pointer, and what may stand there
    r'pcn_perceptron_learn_': r'pcnp_learn_(one|several|following)$',
    r'pcnp_learn_following': r'pcnp_learn_(one|several)$',
    r'pcnp_learn_(one|several)': ADDS + '|pcnp_move_|' + STEPS,
    r'pcnp_learn_several': UPDATES,
    r'pcn_perceptron_predict_': r'pcnp_predict_(one|several)$',
    r'pcn_perceptron_scores_|pcnp_(trainer_scores|predict)': r'pcnp_scores_(of_mean|ahead)$',
    r'pcn_perceptron_apply_batch|pcnp_move_weights': ADDS,
    r'pcnp_add_mean|pcnp_mean_|pcnp_add_reweighed|pcnp_state_row': r'pcnp_reweigh_',
    r'pcnp_add_mean|pcnp_add_reweighed|pcnp_shrink': r'pcnp_\w+_shrink',
    r'pcnp_accepts_settings': r'pcnp_\w+_accepts$',
    r'pcnp_step$|pcnp_step_(up|if)|pcn_update_': STEPS,
    r'pcn_slope|pcnp_step_': r'pcnp_\w+_slope',
    r'pcn_scaler_note$': r'pcnp_note_row_recent$',
    r'pcn_iperceptron_learn_': r'pcnp_ilearn_(one|several)$',
    r'pcn_iperceptron_predict_': r'pcnp_ipredict_(one|several|mean)$',
    r'pcnp_ilearn_': r'pcnp_iadd_',
    r'pcnp_dual_|pcnp?_kperceptron_learn': UPDATES + r'|pcnp?_admit_|' + DOTS,
    r'pcnp_kernel_|pcnp_slot_row|pcn_kmodel_': DOTS,
    r'pcnp_read|pcnp_window_begin|pcnp_save|pcn_image_(read|size)|pcn_\w+_(open|load|save)': r'pcnp_\w+_header_valid',
}

ROW = 1280  # functions that predict or learn one row,
ROWS = r'pcn_(ilinear_(score|predict)|i?perceptron_(predict|scores|learn|apply_batch)|dot|norm2|add$|linear_(score|predict))'
SMALL = 128  # functions that take at most that share a line of the page


def public(header):
    """Names of the functions that a program without PERCEPTRON_GROW can call."""
    text = open(header).read().split('#ifdef PERCEPTRON_IMPLEMENTATION')[0]
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    text = re.sub(r'^#ifdef PERCEPTRON_GROW$.*?^#endif$', '', text, flags=re.S | re.M)
    return [re.search(r'(pcn_\w+)\(', f).group(1) for f in re.findall(r'^PCN_API [^;{]*;', text, re.M)]


def base(name):
    return name.split(':')[-1].split('.')[0]


def pushed(line):
    """Bytes of stack that an instruction of Arm takes."""
    registers = re.search(r'\t(push|vpush|stmdb)(?:\.w)?\t(?:sp!, )?\{(.*)\}', line)
    if registers:
        return (8 if '\td' in registers.group(0) else 4) * (registers.group(2).count(',') + 1)
    number = re.search(r'\tsubw?(?:\.w)?\tsp, (?:sp, )?#(\d+)|\tstrd?(?:\.w)?\t.*\[sp, #-(\d+)\]!', line)
    return int(number.group(1) or number.group(2)) if number else 0


class Graph:
    def __init__(self, path):
        self.frame, self.calls, self.bad, self.done = {}, {}, [], {}
        for line in open(path):
            node = re.match(r'node: { title: "([^"]+)" label: "[^"]*\\n(\d+) bytes \(([^)]*)\)', line)
            if node:
                self.frame[node.group(1)] = int(node.group(2))
                if node.group(3) not in ('static', 'dynamic,bounded'):
                    self.bad.append('frame without a bound: ' + node.group(1))
            edge = re.match(r'edge: { sourcename: "([^"]+)" targetname: "([^"]+)"', line)
            if edge:
                self.calls.setdefault(edge.group(1), set()).add(edge.group(2))
        if os.path.exists(path[:-2] + 'dis'):
            self.add_helpers(path[:-2] + 'dis')

    def add_helpers(self, path):
        """The functions that library.c has not, by the sum of all that they push: a bound."""
        names, helper = {}, None
        called = {g for calls in self.calls.values() for g in calls} - set(self.frame)
        for line in open(path):
            symbol = re.match(r'([0-9a-f]{8}) [gl ].*\t[0-9a-f]{8} (?:\.hidden )?(\S+)$', line)
            if symbol:
                names.setdefault(symbol.group(1), set()).add(symbol.group(2))
            label = re.match(r'([0-9a-f]{8}) <(.*)>:$', line)
            if label:
                helper = names.get(label.group(1), set()) | {label.group(2)}
                helper = {g for g in helper if g not in self.frame and not g.startswith(('pcn_', 'pcnp_'))}
                for g in helper:
                    self.frame[g] = 0
            call = re.search(r'\tbl?x?(?:\.[nw])?\t[0-9a-f]+ <([^+>]*)>', line)
            for g in helper or ():
                self.frame[g] += pushed(line)
                if call and call.group(1) not in helper:
                    self.calls.setdefault(g, set()).add(call.group(1))
        self.bad += ['no disassembly of ' + g for g in sorted(called - set(self.frame)) if g != '__indirect_call']

    def callees(self, f):
        for g in self.calls.get(f, ()):
            if g != '__indirect_call':
                yield g
                continue
            hooks = [h for caller, h in HOOKS.items() if re.match(caller, base(f))]
            if not hooks:
                self.bad.append('unknown hook called by ' + f)
            for h in hooks:
                yield from (g for g in self.frame if re.match(h, base(g)))

    def depth(self, f, path=()):
        if f in path:
            self.bad.append('recursion: ' + ' > '.join(base(g) for g in path + (f,)))
            return 0
        if f not in self.done:
            below = [self.depth(g, path + (f,)) for g in self.callees(f)]
            self.done[f] = self.frame.get(f, 0) + max(below, default=0)
        return self.done[f]


def table(path, head, lines, graphs):
    with open(path, 'w') as f:
        labels = ' | '.join(label for label, limit, g in graphs)
        f.write('| %s | %s |\n|---|%s\n' % (head, labels, '---|' * len(graphs)))
        for name, numbers in lines:
            f.write('| %s | %s |\n' % (name, ' | '.join('{:,}'.format(n) for n in numbers)))


def main():
    names = public(sys.argv[1])
    graphs = []
    for argument in sys.argv[3:]:
        label, limit, path = argument.split('=')
        graphs.append((label, int(limit), Graph(path)))
    bad = [] if len(names) > 70 else ['only %d functions found in %s' % (len(names), sys.argv[1])]
    stack = {}
    for name in names:
        called = re.sub('_(at|one|several)$', '', name)
        line = stack.setdefault('`%s`' % called, [0] * len(graphs))
        for i, (label, limit, g) in enumerate(graphs):
            if name not in g.frame:
                bad.append('%s: %s is not measured' % (label, name))
            depth = g.depth(name)
            line[i] = max(line[i], depth)
            limit = min(limit, ROW) if re.match(ROWS, called) else limit
            if depth > limit:
                bad.append('%s: %s takes %d bytes of stack, more than %d' % (label, name, depth, limit))
    for label, limit, g in graphs:
        for f in list(g.frame):
            g.depth(f)
        bad += [label + ': ' + b for b in g.bad]
    table(sys.argv[2] + '/stack', 'bytes of stack', stack.items(), graphs)
    small = {name: numbers for name, numbers in stack.items() if max(numbers) <= SMALL}
    shown = [(name, numbers) for name, numbers in stack.items() if name not in small]
    others = 'each of the %d others, at most' % len(small), [max(column) for column in zip(*small.values())]
    table(sys.argv[2] + '/shown', 'bytes of stack', shown + [others], graphs)
    for b in sorted(set(bad)):
        print('FAIL ' + b)
    sys.exit(bad != [])


main()
