package accesscontrol

import (
	"container/list"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// rate is how many requests are taken at once, and how long it lasts until one more is.
type rate struct {
	burst int
	every time.Duration
}

// maxHarvesters is how many are remembered, for each agreement. Who is forgotten is the one that
// was silent for the longest.
const maxHarvesters = 10_000

// maxWait is the longest Retry-After.
const maxWait = time.Hour

// parseRate takes 10/s, 300/m, 1000/h; "" is no limit.
func parseRate(s string) (rate, error) {
	if s == "" {
		return rate{}, nil
	}
	number, unit, _ := strings.Cut(s, "/")
	period := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}[strings.TrimSpace(unit)]
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || period == 0 || n < 1 || n > 1_000_000 {
		return rate{}, fmt.Errorf("%.40q is no rate: write it as 10/s, 300/m or 1000/h", s)
	}
	return rate{burst: n, every: period / time.Duration(n)}, nil
}

// buckets keeps each harvester to a rate: one takes a request out of his bucket, which holds burst
// of them and gets one more every so often. One moment is kept of each client: that at which the
// bucket will be full.
type buckets struct {
	rate
	most int

	mu     sync.Mutex
	of     map[string]*list.Element
	recent *list.List // of *bucket, the one that was asked for last in front
}

type bucket struct {
	who  string
	full time.Time
}

func newBuckets(r rate, most int) *buckets {
	return &buckets{rate: r, most: most, of: map[string]*list.Element{}, recent: list.New()}
}

// take takes a request out of a bucket, and says how long to wait when it is empty.
func (b *buckets) take(who string, now time.Time) (wait time.Duration) {
	if b.burst == 0 {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	at, ok := b.of[who]
	if !ok {
		if b.recent.Len() >= b.most {
			oldest := b.recent.Back()
			delete(b.of, b.recent.Remove(oldest).(*bucket).who)
		}
		at = b.recent.PushFront(&bucket{who: who})
		b.of[who] = at
	}
	b.recent.MoveToFront(at)
	one := at.Value.(*bucket)
	whole := time.Duration(b.burst) * b.every
	if one.full.Before(now) {
		one.full = now
	} else if most := now.Add(whole); one.full.After(most) { // the clock was put back
		one.full = most
	}
	if wait = one.full.Add(b.every).Sub(now) - whole; wait > 0 {
		return min(wait, maxWait)
	}
	one.full = one.full.Add(b.every)
	return 0
}
