package accesscontrol

import (
	"container/list"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// rate is the number of requests accepted at once, and the time until one more is accepted.
type rate struct {
	burst int
	every time.Duration
}

// maxHarvesters is how many harvesters are remembered per agreement. The one silent for the longest
// is forgotten first.
const maxHarvesters = 10_000

// maxWait is the longest Retry-After.
const maxWait = time.Hour

// parseRate parses 10/s, 300/m, 1000/h; "" means no limit.
func parseRate(s string) (rate, error) {
	if s == "" {
		return rate{}, nil
	}
	number, unit, _ := strings.Cut(s, "/")
	period := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}[strings.TrimSpace(unit)]
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || period == 0 || n < 1 || n > 1_000_000 {
		return rate{}, fmt.Errorf("%.40q is not a rate: write it as 10/s, 300/m or 1000/h", s)
	}
	return rate{burst: n, every: period / time.Duration(n)}, nil
}

// buckets limits each harvester to a rate. A bucket holds burst requests and regains one at regular
// intervals. For each client one time is stored: when its bucket will be full.
type buckets struct {
	rate
	most int

	mu     sync.Mutex
	of     map[string]*list.Element
	recent *list.List // of *bucket, most recent first
}

type bucket struct {
	who  string
	full time.Time
}

func newBuckets(r rate, most int) *buckets {
	return &buckets{rate: r, most: most, of: map[string]*list.Element{}, recent: list.New()}
}

// take takes a request from a bucket, and returns how long to wait if it is empty.
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
	} else if most := now.Add(whole); one.full.After(most) { // the clock was set back
		one.full = most
	}
	if wait = one.full.Add(b.every).Sub(now) - whole; wait > 0 {
		return min(wait, maxWait)
	}
	one.full = one.full.Add(b.every)
	return 0
}
