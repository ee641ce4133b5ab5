"""Deepest stack of each public function from gcc's -fcallgraph-info=su, and a check that none is unbounded.

usage: stack.py library.ci LIMIT NAME...   prints each NAME and its bytes; fails on recursion, frames of
variable size, or a NAME that takes more than LIMIT bytes. Calls through pointers go to every function
that may stand there."""

import re
import sys

MOVES = r'pcni_(move|collect)'
STEPS = r'pcni_step_'
UPDATES = r'pcn_update_'
HOOKS = {  # who calls through a pointer, and what may stand there
    r'pcni_learn_binary|pcn_perceptron_learn_(at|before)': MOVES + '|' + STEPS,
    r'pcni_learn_class|pcn_perceptron_learn_(class|before)': MOVES + '|' + UPDATES,
    r'pcni_all_move|pcn_batching_apply': MOVES,
    r'pcni_step$|pcni_push|pcn_update_': STEPS,
    r'pcni_(change|move)_mean': r'pcni_renew_winnow',
    r'pcn_iperceptron_learn': r'pcni_imove',
    r'pcni_dual_(learn|try)|pcn_dual_learn': UPDATES + r'|pcn_admit_|pcni_\w+_of_dots',
    r'pcni_commit': r'pcn_admit_',
    r'pcni_read|pcni_open|pcn_image_read|pcn_\w+_(open|load)': r'pcni_check_',
    r'pcni_kernels|pcni_kernel_self|pcni_meet|pcni_slot_kernels|pcn_support_scores': r'pcni_\w+_of_dots',
}


def base(name):
    return name.split(':')[-1].split('.')[0]


def read(path):
    frame, calls, dynamic = {}, {}, []
    for line in open(path):
        node = re.match(r'node: { title: "([^"]+)" label: "[^"]*\\n(\d+) bytes \(([^)]*)\)', line)
        if node:
            frame[node.group(1)] = int(node.group(2))
            if node.group(3) != 'static':
                dynamic.append(node.group(1))
        edge = re.match(r'edge: { sourcename: "([^"]+)" targetname: "([^"]+)"', line)
        if edge:
            calls.setdefault(edge.group(1), set()).add(edge.group(2))
    return frame, calls, dynamic


def main():
    frame, calls, dynamic = read(sys.argv[1])
    limit, names, bad = int(sys.argv[2]), sys.argv[3:], ['variable frame: ' + d for d in dynamic]

    def callees(f):
        for g in calls.get(f, ()):
            if g != '__indirect_call':
                yield g
                continue
            hooks = [h for caller, h in HOOKS.items() if re.match(caller, base(f))]
            if not hooks:
                bad.append('unknown hook called by ' + f)
            for h in hooks:
                yield from (g for g in frame if re.match(h, base(g)))

    done = {}

    def depth(f, path):
        if f in path:
            bad.append('recursion: ' + ' > '.join(base(g) for g in path + [f]))
            return 0
        if f not in done:
            done[f] = frame.get(f, 0) + max([depth(g, path + [f]) for g in callees(f)], default=0)
        return done[f]

    for name in names:
        if name not in frame:
            bad.append('no function ' + name)
            continue
        print('  %4d bytes  %s' % (depth(name, []), name))
        if done[name] > limit:
            bad.append('%s takes %d bytes of stack, more than %d' % (name, done[name], limit))
    for f in frame:
        depth(f, [])
    for b in sorted(set(bad)):
        print('FAIL ' + b)
    sys.exit(bad != [])


main()
