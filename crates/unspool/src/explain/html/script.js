(function () {
  'use strict';
  var doc = document, root = doc.documentElement;
  // Lines of every file, and runs of code by the line that they were made from.
  var files = {}, runs = {};
  doc.querySelectorAll('.src').forEach(function (s) {
    var list = [];
    for (var c = s.firstElementChild; c; c = c.nextElementSibling) if (c.tagName === 'P') list.push(c);
    files[s.dataset.f] = list;
  });
  var key = function (f, n) { return f + ':' + n; };
  doc.querySelectorAll('.ptx [data-l]').forEach(function (r) {
    var k = key(r.dataset.f || '0', r.dataset.l);
    (runs[k] = runs[k] || []).push(r);
  });
  var marked = { on: [], at: [] };
  function clear(c) {
    marked[c].forEach(function (e) { e.classList.remove(c); });
    marked[c] = [];
  }
  function mark(c, e) {
    e.classList.add(c);
    marked[c].push(e);
  }
  function show(c, f, from, to) {
    clear(c);
    var first = null;
    for (var n = from; n <= to; n++) {
      if (files[f] && files[f][n - 1]) mark(c, files[f][n - 1]);
      (runs[key(f, n)] || []).forEach(function (r) {
        mark(c, r);
        if (!first || r.compareDocumentPosition(first) & 4) first = r;
      });
    }
    return first;
  }
  function fileOf(e) { return e.closest('.src').dataset.f; }
  function into(e) {
    var pane = e.closest('.pane');
    pane.scrollIntoView({ block: 'nearest' });
    var a = e.getBoundingClientRect(), b = pane.getBoundingClientRect();
    if (a.top < b.top + 30 || a.bottom > b.bottom) pane.scrollTop += a.top - b.top - pane.clientHeight / 4;
  }
  function loopLines(b) { return [fileOf(b), +b.dataset.a, +b.dataset.b]; }
  function toggle(b, open) {
    var why = doc.getElementById(b.getAttribute('aria-controls'));
    if (open === undefined) open = why.hidden;
    why.hidden = !open;
    b.setAttribute('aria-expanded', String(open));
    clear('at');
    if (open) {
      var l = loopLines(b), first = show('on', l[0], l[1], l[2]);
      if (first) into(first);
    } else clear('on');
  }
  var loops = Array.prototype.slice.call(doc.querySelectorAll('.src button'));
  doc.addEventListener('click', function (e) {
    var b = e.target.closest('.src button');
    if (b) return toggle(b);
    var r = e.target.closest('.ptx [data-l]');
    if (r && !String(getSelection())) {
      var f = r.dataset.f || '0', p = files[f] && files[f][r.dataset.l - 1];
      if (p) { into(p); show('at', f, +r.dataset.l, +r.dataset.l); }
    }
  });
  doc.addEventListener('mouseover', function (e) {
    if (!e.target.closest) return;
    var p = e.target.closest('.src > p'), r = e.target.closest('.ptx [data-l]'), b = e.target.closest('.src button');
    if (b) { var l = loopLines(b); show('at', l[0], l[1], l[2]); }
    else if (p) { var f = fileOf(p), n = files[f].indexOf(p) + 1; show('at', f, n, n); }
    else if (r) show('at', r.dataset.f || '0', +r.dataset.l, +r.dataset.l);
    else clear('at');
  });
  doc.addEventListener('focusin', function (e) {
    var b = e.target.closest('.src button');
    if (b) { var l = loopLines(b); show('at', l[0], l[1], l[2]); }
  });
  doc.addEventListener('keydown', function (e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    var at = loops.indexOf(doc.activeElement), next = null;
    if (e.key === 'n') next = loops[at + 1 < loops.length ? at + 1 : 0];
    else if (e.key === 'p') next = loops[at > 0 ? at - 1 : loops.length - 1];
    else if (e.key === 'Escape') {
      loops.forEach(function (b) { if (b.getAttribute('aria-expanded') === 'true') toggle(b, false); });
      clear('on'); clear('at');
    } else if (e.key === 't') theme();
    if (next) { next.focus({ preventScroll: true }); into(next); e.preventDefault(); }
  });
  function theme() {
    var dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme:dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  }
  doc.getElementById('theme').addEventListener('click', theme);
  // A loop named in the address is shown at once, and whenever a link names another one.
  function goto() {
    var p = location.hash && doc.querySelector('.src > p' + location.hash.replace(/[^#\w-]/g, ''));
    if (!p) return;
    var b = p.querySelector('button');
    if (b) toggle(b, true);
    into(p);
  }
  addEventListener('hashchange', goto);
  goto();
})();
