#!/usr/bin/env python3
"""hunt.py WSIM DRIVE FOLDER SEED SECONDS [THREADS [whole]] - runs random kernels on the GPU and in wsim until the time is up.

The kernels are those of kernels.py, with `whole` those of whole.py. SEED is the first seed, or all seeds with commas between.

A kernel that differs is made small: lines, blocks and operands go as long as it differs. FOLDER gets the small kernels, each with its
options and seed in the first line. Needs nvcc and a GPU. DRIVE is drive.c, built with -lcuda.
"""
import itertools
import os
import re
import subprocess
import sys
import threading
import time

import kernels
import whole

SMALLER = 120  # seconds at most to make one kernel small


class Case:
    def __init__(self, seed, source):
        kernel = source.Kernel(seed)
        self.seed, self.type, self.lines = seed, kernel.type, kernel.text.rstrip('\n').split('\n')
        self.options = ['-G'] if source is whole and seed % 4 == 0 else ['-use_fast_math'] if seed % 3 == 0 else []


def differs(hunt, case, lines, base):
    """Whether results differ, or wsim fails; None if it does not run on the GPU."""
    with open(base + '.cu', 'w') as f:
        f.write(('#include <cuda_fp16.h>\n' if case.type == '__half' else '') + '\n'.join(lines) + '\n')
    nvcc = ['nvcc', '-w', '-std=c++17', '-arch=compute_90', '-ptx', *case.options, base + '.cu', '-o', base + '.ptx']
    drive = [hunt.drive, base + '.ptx', case.type, str(case.seed % 997)]
    try:
        if subprocess.run(nvcc, capture_output=True, timeout=60).returncode:
            return None
        gpu = subprocess.run(drive, capture_output=True, timeout=20)
        model = subprocess.run([hunt.wsim, 'run', '--check', 'none', '--threads', '1', '--lines', '0', *drive], capture_output=True, timeout=30)
    except subprocess.TimeoutExpired:
        return None
    return None if gpu.returncode else model.returncode != 0 or gpu.stdout != model.stdout


def block_end(lines, at):
    """The line that closes the block which a line opens."""
    depth = 0
    for end in range(at, len(lines)):
        text = lines[end] if end > at else lines[end].strip().lstrip('}')
        depth += text.count('{') - text.count('}')
        if depth <= 0:
            return end
    return len(lines) - 1


def smaller(lines):
    """Kernels with a line, a block or an operand less, the shortest first."""
    found = []
    for at in range(1, len(lines) - 1):
        text = lines[at].strip()
        if '(void)' in text or text.startswith('__device__'):  # what makes the rest defined
            continue
        if text.startswith('}') and 'else' in text:
            found.append(lines[:at] + ['}'] + lines[block_end(lines, at) + 1:])
        elif text.startswith(('if', 'for')) and text.endswith('{'):
            end = block_end(lines, at)
            if 'else' not in lines[end]:
                found.append(lines[:at] + lines[end + 1:])
                found.append(lines[:at] + lines[at + 1:end] + lines[end + 1:])
        elif text.endswith(';') and not text.startswith('typedef'):
            found.append(lines[:at] + lines[at + 1:])
        parts = [(m, g) for m in re.finditer(r'\(([^()]*?)\s*(?:\*| - |\+|/|\?)([^()]*?)\)', lines[at]) for g in (m[1], m[2].split(':')[-1])]
        parts += [(m, m[1]) for m in re.finditer(r'\w+f?\(([^(),]*)\)', lines[at]) if not m[0].startswith(('if', 'for'))]
        for m, operand in parts:
            if operand.strip():
                found.append(lines[:at] + [lines[at][:m.start()] + operand + lines[at][m.end():]] + lines[at + 1:])
    return sorted(found, key=lambda k: sum(map(len, k)))


class Hunt:
    def __init__(self, wsim, drive, folder, seed, seconds, threads='8', source='kernels'):
        self.wsim, self.drive, self.folder = wsim, os.path.abspath(drive), folder
        self.seeds = iter(map(int, seed.split(','))) if ',' in seed else itertools.count(int(seed))
        self.source = {'kernels': kernels, 'whole': whole}[source]
        self.end, self.lock = time.time() + float(seconds), threading.Lock()
        self.ran = self.failed = self.different = 0
        os.makedirs(folder, exist_ok=True)
        workers = [threading.Thread(target=self.work, args=(os.path.join(folder, f'work{k}'),)) for k in range(int(threads))]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        print(f'kernels {self.ran} did not run {self.failed} different {self.different}')

    def work(self, base):
        while time.time() < self.end:
            with self.lock:
                seed = next(self.seeds, None)
            if seed is None:
                return
            case = Case(seed, self.source)
            result = differs(self, case, case.lines, base)
            with self.lock:
                self.ran += 1
                self.failed += result is None
                self.different += bool(result)
            if result:
                self.shrink(case, base)

    def shrink(self, case, base):
        lines, end = case.lines, min(self.end, time.time() + SMALLER)
        again = True
        while again and time.time() < end:
            again = False
            for trial in smaller(lines):
                if time.time() > end:
                    break
                if differs(self, case, trial, base):
                    lines, again = trial, True
                    break
        with open(os.path.join(self.folder, f'{case.seed}.cu'), 'w') as f:
            f.write(f'// {case.type}, seed {case.seed} {" ".join(case.options)}\n' + '\n'.join(lines) + '\n')
        print(f'seed {case.seed} differs: {sum(map(len, case.lines))} characters, now {sum(map(len, lines))}', flush=True)


if __name__ == '__main__':
    Hunt(*sys.argv[1:])
