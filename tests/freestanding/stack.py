"""Deepest stack of every public function, from gcc's -fcallgraph-info=su.

usage: stack.py perceptron.h LABEL=LIMIT=library.ci...

Prints a table: a line for each function that the header declares, a column for each LABEL. Fails on
recursion, frames of variable size, a function that a .ci file does not know, and more than LIMIT bytes. Calls through pointers go to every function that may stand there."""

import re
import sys

ADDS = r'pcni_(add|collect)'
STEPS = r'pcni_step_(?!up)'
UPDATES = r'pcn_update_'
DOTS = r'pcni_\w+_of_dots'
HOOKS = {  # who calls through a pointer, and what may stand there
    r'pcn_perceptron_learn_|pcni_take': ADDS + '|' + STEPS,
    r'pcn_perceptron_learn_class': UPDATES,
    r'pcn_batching_apply': ADDS,
    r'pcni_add_mean|pcni_mean_|pcni_add_reweighed|pcni_state_row': r'pcni_reweigh_',
    r'pcni_add_mean|pcni_add_reweighed|pcni_shrink': r'pcni_\w+_shrink',
    r'pcni_check_row|pcn_perceptron_learn_': r'pcni_\w+_fits',
    r'pcni_step$|pcni_step_up|pcn_update_': STEPS,
    r'pcn_slope|pcni_step_': r'pcni_\w+_slope',
    r'pcn_iperceptron_learn_': r'pcni_iadd_',
    r'pcni_dual_|pcn_dual_learn_': UPDATES + r'|pcni?_admit_|' + DOTS,
    r'pcni_kernel_|pcni_slot_row|pcn_support_scores': DOTS,
    r'pcni_read|pcni_window_begin|pcni_save|pcn_image_(read|size)|pcn_\w+_(open|load|save)': r'pcni_\w+_header_valid',
}


def public(header):
    """Names of the functions that a program without PERCEPTRON_GROW can call."""
    text = open(header).read().split('#ifdef PERCEPTRON_IMPLEMENTATION')[0]
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    text = re.sub(r'^#ifdef PERCEPTRON_GROW$.*?^#endif$', '', text, flags=re.S | re.M)
    return [re.search(r'(pcn_\w+)\(', f).group(1) for f in re.findall(r'^PCN_API [^;{]*;', text, re.M)]


def base(name):
    return name.split(':')[-1].split('.')[0]


class Graph:
    def __init__(self, path):
        self.frame, self.calls, self.bad, self.done = {}, {}, [], {}
        for line in open(path):
            node = re.match(r'node: { title: "([^"]+)" label: "[^"]*\\n(\d+) bytes \(([^)]*)\)', line)
            if node:
                self.frame[node.group(1)] = int(node.group(2))
                if node.group(3) != 'static':
                    self.bad.append('variable frame: ' + node.group(1))
            edge = re.match(r'edge: { sourcename: "([^"]+)" targetname: "([^"]+)"', line)
            if edge:
                self.calls.setdefault(edge.group(1), set()).add(edge.group(2))

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


def main():
    names = public(sys.argv[1])
    graphs = []
    for argument in sys.argv[2:]:
        label, limit, path = argument.split('=')
        graphs.append((label, int(limit), Graph(path)))
    bad = [] if len(names) > 70 else ['only %d functions found in %s' % (len(names), sys.argv[1])]
    print('| bytes of stack | ' + ' | '.join(label for label, limit, g in graphs) + ' |')
    print('|---|' + '---|' * len(graphs))
    for name in names:
        line = []
        for label, limit, g in graphs:
            if name not in g.frame:
                bad.append('%s: %s is not measured' % (label, name))
                line.append('?')
                continue
            line.append(str(g.depth(name)))
            if g.done[name] > limit:
                bad.append('%s: %s takes %d bytes of stack, more than %d' % (label, name, g.done[name], limit))
        print('| `%s` | %s |' % (name, ' | '.join(line)))
    for label, limit, g in graphs:
        for f in list(g.frame):
            g.depth(f)
        bad += [label + ': ' + b for b in g.bad]
    for b in sorted(set(bad)):
        print('FAIL ' + b)
    sys.exit(bad != [])


main()
