#!/usr/bin/env python3
"""Random loops, compiled by nvcc and by unspool: in how many is the loop unrolled alike?

  unroll_agreement.py [--count 150] [--seed 1] [--nvcc nvcc] [--unspool target/release/unspool] [--show 20] [--keep FILE]

Every kernel marks its loops' iterations with loads from global memory. A kernel's shape says, in the order of the PTX
text, how many of them stand in a row (`S8`) and how many in each loop (`L4 L1`: a loop of four copies and its remainder).
The loops are of the kinds that the measured rows know (trip counts, bodies, hints, private arrays, shuffles) and of
others: nests, steps, other types, several loops in a kernel, tiles in work-group memory. Exit status 0 if the comparison
ran.
"""
import argparse, collections, json, os, random, re, subprocess, sys, tempfile

HEAD = 'extern "C" __global__ void NAME(float*o,const float*in,float a,float b,int n)'
TRIPS = list(range(2, 33)) + [36, 40, 47, 48, 50, 60, 63, 64, 65, 72, 96, 99, 100, 101, 120, 127, 128, 130, 200, 256, 300, 500, 777, 1000, 1024, 4096]


def fmas(r, most):
    return ''.join(r.choice(['x=fmaf(x,a,b);', 'x=fmaf(x,b,a);', 'x=x*a;', 'x+=b;']) for _ in range(r.randint(0, most)))


def load(r, i):
    return 'in[%s]' % r.choice(['%s*7', '%s*7', '%s*13+3', '%s', '%s+5', '%s*n']) .replace('%s', i)


def hint(r, chance=0.5):
    if r.random() > chance: return ''
    return '\n#pragma unroll%s\n' % r.choice(['', '', ' 1', ' 2', ' 3', ' 4', ' 5', ' 8', ' 16', ' 100'])


def trip(r):
    return str(r.choice(TRIPS))


def counted(r):
    return '%sfor(int i=0;i<%s;i++){x+=%s;%s}' % (hint(r, 0.35), trip(r), load(r, 'i'), fmas(r, 45))


def runtime(r):
    bound = r.choice(['n', 'n', 'n', 'n*4', 'n/2', '(n&15)', '(n&63)', 'n+3'])
    return '%sfor(int i=0;i<%s;i++){x+=%s;%s}' % (hint(r), bound, load(r, 'i'), fmas(r, 50))


def steps(r):
    form = r.choice(['for(int i=0;i<%s;i+=2)', 'for(int i=%s;i>0;i--)', 'for(unsigned i=0;i<%su;i++)', 'for(long long i=0;i<%s;i++)',
                     'for(int i=1;i<=%s;i++)', 'for(int i=threadIdx.x;i<%s;i+=32)', 'for(int i=3;i<%s;i+=3)', 'for(int i=blockIdx.x;i<n;i+=gridDim.x)'])
    if '%s' in form: form = form % (trip(r) if r.random() < 0.7 or 'su' in form else 'n')
    return '%s%s{x+=%s;%s}' % (hint(r, 0.3), form, load(r, 'i'), fmas(r, 30))


def whiles(r):
    bound = trip(r) if r.random() < 0.6 else 'n'
    body = 'x+=%s;%s' % (load(r, 'i'), fmas(r, 20))
    if r.random() < 0.5: return 'int i=0;%swhile(i<%s){%si++;}' % (hint(r, 0.3), bound, body)
    return 'int i=0;%sdo{%si++;}while(i<%s);' % (hint(r, 0.3), body, bound)


def shuffles(r):
    bound = trip(r) if r.random() < 0.5 else 'n'
    return '%sfor(int i=0;i<%s;i++){x+=%s;x+=__shfl_xor_sync(~0u,x,%d);%s}' % (hint(r, 0.3), bound, load(r, 'i'), r.choice([1, 2, 4, 8, 16]), fmas(r, 20))


def arrays(r):
    size = r.choice([2, 4, 8, 16])
    return ('float l[%d];%sfor(int i=0;i<%s;i++){l[i&%d]=x;x+=%s;%s} for(int j=0;j<n;j++)x+=l[j&%d];'
            % (size, hint(r, 0.2), r.choice(['4', '8', '16', '24', '32', '48', '64', '100']), size - 1, load(r, 'i'), fmas(r, 30), size - 1))


def branches(r):
    bound = trip(r) if r.random() < 0.5 else 'n'
    return '%sfor(int i=0;i<%s;i++){float y=%s;if(y>a)x+=y;else x-=b*y;%s}' % (hint(r, 0.3), bound, load(r, 'i'), fmas(r, 10))


def breaks(r):
    bound = trip(r) if r.random() < 0.5 else 'n'
    return '%sfor(int i=0;i<%s;i++){x+=%s;%sif(x>b)break;}' % (hint(r, 0.6), bound, load(r, 'i'), fmas(r, 20))


def two(r):
    return counted(r) + runtime(r).replace('int i', 'int k').replace('i<', 'k<').replace('i++', 'k++').replace('[i', '[k')


def nest(r):
    outer = trip(r) if r.random() < 0.4 else 'n'
    inner = r.choice(['2', '3', '4', '5', '6', '8', '9', '16', '25', '32', '100']) if r.random() < 0.6 else 'n'
    return '%sfor(int j=0;j<%s;j++){%sfor(int i=0;i<%s;i++){x+=in[i*7+j%s];%s}%s}' % (hint(r, 0.1), outer, hint(r, 0.15), inner, r.choice(['', '*64', '*n']), fmas(r, 8), fmas(r, 2))


def integers(r):
    bound = trip(r) if r.random() < 0.6 else 'n'
    body = ''.join(r.choice(['s=s*5+1;', 's^=s>>3;', 's+=i;', 's=s&n;', 's=max(s,i);']) for _ in range(r.randint(0, 20)))
    return 'int s=n;%sfor(int i=0;i<%s;i++){s+=((const int*)in)[i*%d];%s}x=s;' % (hint(r, 0.3), bound, r.choice([1, 3, 7]), body)


def doubles(r):
    bound = trip(r) if r.random() < 0.6 else 'n'
    return 'double d=a;%sfor(int i=0;i<%s;i++){d+=((const double*)in)[i*3];%s}x=d;' % (hint(r, 0.3), bound, 'd=d*a+b;' * r.randint(0, 15))


def tiles(r):
    t = r.choice([8, 16, 32])
    return ('__shared__ float s[%d][%d];int tx=threadIdx.x,ty=threadIdx.y;for(int k=0;k<n;k+=%d){s[ty][tx]=in[(k+ty)*n+tx];'
            '__syncthreads();%sfor(int i=0;i<%d;i++)x=fmaf(s[ty][i],s[i][tx],x);__syncthreads();}' % (t, t, t, hint(r, 0.3), t))


def kernels(r):
    return r.choice([
        'int t=blockIdx.x*blockDim.x+threadIdx.x;%sfor(int i=t;i<n;i+=blockDim.x*gridDim.x)x+=in[i];' % hint(r, 0.3),
        'int c=threadIdx.x;%sfor(int k=0;k<n;k++)x=fmaf(in[c*n+k],in[k*n+threadIdx.y],x);' % hint(r, 0.3),
        'float m=in[0];%sfor(int i=1;i<n;i++)m=fmaxf(m,in[i]);%sfor(int i=0;i<n;i++)x+=in[i]-m;' % (hint(r, 0.2), hint(r, 0.2)),
        'int t=threadIdx.x;%sfor(int d=-%d;d<=%d;d++)x+=in[t+d]*a;' % (hint(r, 0.3), *[r.choice([1, 2, 3, 4, 8])] * 2),
        'float h=0;%sfor(int i=%d;i>=0;i--)h=fmaf(h,a,in[i]);x=h;' % (hint(r, 0.3), r.choice([3, 7, 15, 31, 63])),
        'int t=threadIdx.x;%sfor(int i=0;i<n;i++){float4 v=((const float4*)in)[i*32+t];x+=v.x*v.y+v.z*v.w;}' % hint(r, 0.3),
    ])


KINDS = [counted, counted, counted, runtime, runtime, steps, whiles, shuffles, arrays, branches, breaks, two, nest, nest, integers, doubles, tiles, kernels]


def rows(seed, count):
    r = random.Random(seed)
    for n in range(count):
        kind = KINDS[n % len(KINDS)]
        name = '%s_%d' % (kind.__name__, n)
        body = kind(r)
        yield kind.__name__, name, HEAD.replace('NAME', name) + '{float x=a;' + body + ' o[threadIdx.x]=x;}'


def natural_loops(lines, at):
    """The loops of a kernel's text: (line of the header, the lines of all of its blocks), one for each header."""
    # A block goes from one label, or from behind one branch, to the next.
    starts = sorted({0, *at.values(), *(n + 1 for n, line in enumerate(lines) if re.search(r'\bbra\b|\bret;', line))} - {len(lines)})
    ends = dict(zip(starts, starts[1:] + [len(lines)]))
    succs = {}
    for s in starts:
        last = lines[ends[s] - 1]
        branch = re.search(r'\bbra(?:\.uni)?\s+(\$?\w+)', last)
        succs[s] = [at[branch.group(1)]] if branch and branch.group(1) in at else []
        stops = last.startswith('ret;') or branch and not last.startswith('@')
        if not stops and ends[s] in ends: succs[s].append(ends[s])
    # A way back is one to a block that is still being looked at, depth first: what PTX compilers make is reducible.
    state, back, stack = {}, [], [(0, iter(succs[0]))]
    state[0] = 'open'
    while stack:
        block, ways = stack[-1]
        to = next(ways, None)
        if to is None: state[block] = 'done'; stack.pop()
        elif to not in state: state[to] = 'open'; stack.append((to, iter(succs[to])))
        elif state[to] == 'open': back.append((block, to))
    preds = collections.defaultdict(list)
    for s, ways in succs.items():
        for to in ways:
            if s in state: preds[to].append(s)
    loops = {}
    for latch, header in back:
        body, todo = loops.setdefault(header, {header}), [latch]
        while todo:
            block = todo.pop()
            if block not in body: body.add(block); todo += preds[block]
    return [(header, {n for s in body for n in range(s, ends[s])}) for header, body in loops.items()]


def shapes(ptx):
    """The shape of each kernel of a PTX text. What is in a loop is what can come back to its start: where its blocks stand
    plays no part but for the order."""
    found = {}
    ptx = re.sub(r'//[^\n]*', '', ptx)
    for entry in re.finditer(r'\.entry\s+(\w+)\s*\(.*?\)(?:\s*\.\w+[^\n{]*)*\s*\{(.*?)\n\}', ptx, re.S):
        lines = [line.strip() for line in entry.group(2).splitlines()]
        lines = [line for line in lines if line]
        at = {line.split(':')[0]: n for n, line in enumerate(lines) if re.match(r'\$?\w+:', line)}
        marks = [n for n, line in enumerate(lines) if 'ld.global' in line]
        loops = natural_loops(lines, at)
        parts = [(header, 'L%d' % sum(m in body for m in marks)) for header, body in loops]
        parts += [(m, None) for m in marks if not any(m in body for _, body in loops)]
        text, row = [], 0
        for _, part in sorted(parts, key=lambda p: p[0]) + [(0, 'end')]:
            if part is None: row += 1; continue
            if row: text.append('S%d' % row)
            row = 0
            if part != 'end': text.append(part)
        found[entry.group(1)] = ' '.join(text)
    return found


def compile_all(command, all_rows, folder):
    """Shapes of all rows; one bad kernel does not hide the others."""
    source, output = os.path.join(folder, 'a.cu'), os.path.join(folder, 'a.ptx')

    def attempt(some):
        with open(source, 'w') as f: f.write('\n'.join(row[2] for row in some) + '\n')
        if os.path.exists(output): os.unlink(output)
        done = subprocess.run(command(source, output), capture_output=True, text=True)
        return shapes(open(output).read()) if done.returncode == 0 and os.path.exists(output) else None

    found = attempt(all_rows)
    if found is None:
        found = {}
        for row in all_rows: found.update(attempt([row]) or {})
    return found


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument('--count', type=int, default=150)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--nvcc', default='nvcc')
    p.add_argument('--unspool', default='target/release/unspool')
    p.add_argument('--arch', default='sm_90')
    p.add_argument('--show', type=int, default=20)
    p.add_argument('--keep', help='write the rows with both shapes to this file, a JSON object per line')
    a = p.parse_args()
    all_rows = list(rows(a.seed, a.count))
    with tempfile.TemporaryDirectory() as folder:
        theirs = compile_all(lambda s, o: [a.nvcc, '-ptx', '-arch=' + a.arch, '-w', s, '-o', o], all_rows, folder)
        ours = compile_all(lambda s, o: [a.unspool, 'compile', s, '-arch=' + a.arch, '-w', '-o', o], all_rows, folder)
    for name, found in ('nvcc', theirs), ('unspool', ours):
        if not found: sys.exit('%s compiles none of the kernels: is it installed (scripts/peers.sh), and complete?' % name)
    good, total, shown = collections.Counter(), collections.Counter(), 0
    kept = open(a.keep, 'w') if a.keep else None
    for group, name, source in all_rows:
        t, o = theirs.get(name), ours.get(name)
        if kept: kept.write(json.dumps({'group': group, 'name': name, 'nvcc': t, 'unspool': o, 'source': source}) + '\n')
        if t is None: continue
        total[group] += 1
        good[group] += t == o
        if t != o and shown < a.show:
            shown += 1
            print('%s: nvcc %r, unspool %r\n  %s' % (name, t, o, source.replace('\n', ' ')))
    for group in total: print('%-10s %4d/%-4d' % (group, good[group], total[group]))
    g, t = sum(good.values()), sum(total.values())
    print('agreement: %d/%d (%.1f%%)' % (g, t, 100 * g / max(t, 1)))


if __name__ == '__main__':
    sys.exit(main())
