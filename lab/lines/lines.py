#!/usr/bin/env python3
"""lines.py REPORT.ncu-rep - what Nsight Compute counted of each machine instruction, as a table: kernel,
file, line, address, instruction, and one column a metric. Needs ncu_report of Nsight Compute (NCU_PYTHON:
the folder that it is in)."""
import glob
import os
import sys

sys.path[:0] = [os.environ.get('NCU_PYTHON', '')] + sorted(
    glob.glob('/opt/nvidia/nsight-compute/*/extras/python'), reverse=True)
import ncu_report


def numbers(metric):
    """Address of an instruction to its counters."""
    where = metric.correlation_ids()
    if not where or metric.num_instances() != where.num_instances():
        return {}
    return {where.as_uint64(i): metric.as_double(i) for i in range(metric.num_instances())}


def main():
    kernels = ncu_report.load_report(sys.argv[1]).range_by_idx(0)
    actions = [kernels.action_by_idx(i) for i in range(kernels.num_actions())]
    counted = {}
    for number, action in enumerate(actions):
        for name in action.metric_names():
            try:
                found = numbers(action.metric_by_name(name))
            except Exception as why:
                print(name, why, file=sys.stderr)
                continue
            if found and not name.startswith('smsp__pcsamp'):
                counted.setdefault(name, {})[number] = found
    names = sorted(counted)
    print('\t'.join(['kernel', 'file', 'line', 'address', 'instruction'] + names))
    for number, action in enumerate(actions):
        places = sorted({at for name in names for at in counted[name].get(number, {})})
        for at in places:
            source = action.source_info(at)
            row = [action.name(), os.path.basename(source.file_name()) if source else '-',
                   str(source.line()) if source else '-', hex(at - places[0]), action.sass_by_pc(at).strip()]
            for name in names:
                value = counted[name].get(number, {}).get(at)
                row.append('-' if value is None else '%.15g' % value)
            print('\t'.join(row))


main()
