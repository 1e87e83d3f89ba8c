package reconcile

import (
	"cmp"
	"container/heap"
	"slices"
)

// hostTable counts by host. The hosts arrive one after the other, sorted. The table keeps the worst
// hosts and sums the rest.
type hostTable struct {
	most  int
	now   *Host
	worst hostHeap
	rest  Host
	total int64
}

func newHostTable(o Options) hostTable {
	t := hostTable{most: o.Hosts, rest: Host{Kinds: map[Kind]int64{}}}
	if t.most == 0 {
		t.most = DefaultHosts
	}
	return t
}

// begin starts a host.
func (t *hostTable) begin(host string) {
	t.end()
	t.now = &Host{Host: host, Kinds: map[Kind]int64{}}
}

// differ counts a difference for the current host.
func (t *hostTable) differ(k Kind, class Class) {
	if t.now != nil {
		t.now.Kinds[k]++
		t.now.add(class, 1)
	}
}

// end finishes the current host.
func (t *hostTable) end() {
	h := t.now
	t.now = nil
	if h == nil || h.Logged+h.Records+h.Explained+h.Lost+h.Unexplained == 0 {
		return
	}
	t.total++
	if t.most < 0 {
		t.sum(h)
		return
	}
	heap.Push(&t.worst, h)
	if len(t.worst) > t.most {
		last, _ := heap.Pop(&t.worst).(*Host) // it contains only this type
		t.sum(last)
	}
}

// sum adds a host to the rest.
func (t *hostTable) sum(h *Host) {
	t.rest.Logged += h.Logged
	t.rest.Fetched += h.Fetched
	t.rest.NotFetched += h.NotFetched
	t.rest.Records += h.Records
	t.rest.Explained += h.Explained
	t.rest.Lost += h.Lost
	t.rest.LostCaptures += h.LostCaptures
	t.rest.Unexplained += h.Unexplained
	for k, n := range h.Kinds {
		t.rest.Kinds[k] += n
	}
}

// list returns the worst hosts, the worst first.
func (t *hostTable) list() []Host {
	all := []Host{}
	for _, h := range t.worst {
		all = append(all, *h)
	}
	slices.SortFunc(all, func(a, b Host) int { return -byWorst(&a, &b) })
	return all
}

// byWorst orders hosts: by unexplained differences, then by losses, then by name.
func byWorst(a, b *Host) int {
	return cmp.Or(cmp.Compare(a.Unexplained, b.Unexplained), cmp.Compare(a.LostCaptures, b.LostCaptures),
		cmp.Compare(a.Lost, b.Lost),
		cmp.Compare(a.Explained, b.Explained), cmp.Compare(a.Logged, b.Logged), -cmp.Compare(a.Host, b.Host))
}

// hostHeap has the best host on top: it is removed first.
type hostHeap []*Host

func (h hostHeap) Len() int           { return len(h) }
func (h hostHeap) Less(i, j int) bool { return byWorst(h[i], h[j]) < 0 }
func (h hostHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *hostHeap) Push(x any) { *h = append(*h, x.(*Host)) }

// Pop implements heap.Interface.
func (h *hostHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
