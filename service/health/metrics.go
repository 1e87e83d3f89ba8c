package health

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"quire/internal/disk"
	"quire/repository/catalogue"
	"quire/repository/disposal"
	"quire/repository/jobs"
	"quire/repository/store"
)

// Metrics gathers numbers of a repository and of its service. No label has the name of a package, a job or a person.
type Metrics struct {
	http.Handler // answers Prometheus

	requests *prometheus.HistogramVec
	p        probe[*numbers]
	log      *slog.Logger
	store    *store.Store
	queue    *jobs.Queue
}

// times of a question.
const (
	metricsKeep = 10 * time.Second
	metricsWait = 20 * time.Second
)

// numbers are those of a moment.
type numbers struct {
	queues  []jobs.QueueState
	workers int
	copies  []store.ListedCopy
	due     []store.DueAudit
	asked   int // requests for purges
	free    int64
	count   int64           // packages
	failed  int             // of these questions
	known   map[string]bool // the questions that did not fail
}

// NewMetrics returns the metrics of a repository and its queue.
func NewMetrics(s *store.Store, q *jobs.Queue, version string, log *slog.Logger) *Metrics {
	m := &Metrics{store: s, queue: q, log: log}
	m.p = probe[*numbers]{keep: metricsKeep, wait: metricsWait, look: m.look}
	m.requests = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "quire_http_request_duration_seconds",
		Help:    "Time of requests to the service, by operation and status.",
		Buckets: []float64{.005, .02, .1, .5, 2, 10, 60}}, []string{"operation", "status"})
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "quire_build_info",
		Help: "1, with the version of the program.", ConstLabels: prometheus.Labels{"version": version}})
	build.Set(1)
	all := prometheus.NewRegistry()
	all.MustRegister(m, m.requests, build, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.Handler = promhttp.HandlerFor(all, promhttp.HandlerOpts{MaxRequestsInFlight: 4,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelError)})
	return m
}

// Request counts an answered request. The operation is a pattern of addresses, never an address.
func (m *Metrics) Request(operation string, status int, took time.Duration) {
	m.requests.WithLabelValues(operation, strconv.Itoa(status)).Observe(took.Seconds())
}

// look asks the repository. A question that fails leaves its numbers out.
func (m *Metrics) look(ctx context.Context) (*numbers, error) {
	n := &numbers{known: map[string]bool{}}
	try := func(what string, err error) {
		if n.known[what] = err == nil; err != nil {
			n.failed++
			m.log.Error("metrics", "of", what, "error", err)
		}
	}
	var err error
	n.queues, err = m.queue.Queues(ctx)
	try("queues", err)
	workers, err := m.queue.Workers(ctx)
	try("workers", err)
	n.workers = len(workers)
	n.copies, err = m.store.ListCopies(ctx)
	try("copies", err)
	n.due, err = m.store.DueAudits(ctx)
	try("audits", err)
	purges, err := m.store.Purges(ctx)
	try("purges", err)
	for i := range purges {
		if purges[i].State == disposal.Requested {
			n.asked++
		}
	}
	states, err := m.store.CountStates(ctx, catalogue.NumberQuery{})
	try("packages", err)
	for _, some := range states {
		n.count += some
	}
	root, _, _ := m.store.Catalogue()
	n.free, err = disk.Free(root)
	try("disk", err)
	return n, nil
}

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("quire_"+name, help, labels, nil)
}

// The numbers of the repository.
var (
	jobsDesc    = desc("jobs", "Jobs by queue and state.", "queue", "state")
	oldestDesc  = desc("jobs_oldest_waiting_seconds", "How long the first job of a queue waits.", "queue")
	workersDesc = desc("workers", "Workers that hold a lease.")
	packages    = desc("packages", "Packages of the repository.")
	copyDesc    = desc("copy_packages", "Packages of a copy by state.", "copy", "state")
	upDesc      = desc("copy_up", "1 if the copy can be read.", "copy")
	copyFree    = desc("copy_free_bytes", "Free bytes of a copy.", "copy")
	copyBytes   = desc("copy_bytes", "Bytes of the good packages of a copy.", "copy")
	checked     = desc("copy_oldest_check_timestamp_seconds", "The reading of a good package that is longest ago.",
		"copy")
	overdue  = desc("audit_overdue_seconds", "How long an audit of the schedule is overdue; 0 if it is not.", "entry")
	asked    = desc("purges_requested", "Requests for purges that wait for a second person.")
	freeDesc = desc("repository_free_bytes", "Free bytes of the folder of the repository.")
	failures = desc("metrics_failed", "Questions of this answer that failed.")
)

// Describe implements prometheus.Collector.
func (m *Metrics) Describe(all chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{jobsDesc, oldestDesc, workersDesc, packages, copyDesc, upDesc, copyFree,
		copyBytes, checked, overdue, asked, freeDesc, failures} {
		all <- d
	}
}

// Collect implements prometheus.Collector.
func (m *Metrics) Collect(all chan<- prometheus.Metric) {
	set := func(d *prometheus.Desc, value float64, labels ...string) {
		all <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	n, err := m.p.ask(context.Background())
	if errors.Is(err, errSlow) {
		m.log.Warn("metrics", "error", err)
	}
	if err != nil {
		set(failures, 1)
		return
	}
	set(failures, float64(n.failed))
	for _, q := range n.queues {
		for state, count := range q.Counts {
			set(jobsDesc, float64(count), q.Queue, string(state))
		}
		wait := 0.0
		if !q.Oldest.IsZero() {
			wait = max(0, time.Since(q.Oldest).Seconds())
		}
		set(oldestDesc, wait, q.Queue)
	}
	for what, one := range map[string]struct {
		d     *prometheus.Desc
		value float64
	}{"workers": {workersDesc, float64(n.workers)}, "purges": {asked, float64(n.asked)},
		"packages": {packages, float64(n.count)}, "disk": {freeDesc, float64(n.free)}} {
		if n.known[what] {
			set(one.d, one.value)
		}
	}
	copiesOf(n, set)
	entries := map[string]float64{} // a schedule may have an entry twice
	for _, d := range n.due {
		entries[d.Entry] = max(entries[d.Entry], time.Duration(d.Over).Seconds())
	}
	for entry, seconds := range entries {
		set(overdue, seconds, entry)
	}
}

func copiesOf(n *numbers, set func(*prometheus.Desc, float64, ...string)) {
	for i := range n.copies {
		c := &n.copies[i]
		if c.State == store.CopyRetired {
			continue
		}
		for state, count := range map[string]int64{"good": c.Good, "listed": c.Listed, "damaged": c.Damaged,
			"missing": c.Missing, "owed": c.Owed} {
			set(copyDesc, float64(count), c.Name, state)
		}
		up := 0.0
		if c.State == store.CopyPresent {
			up = 1
		}
		set(upDesc, up, c.Name)
		set(copyBytes, float64(c.Bytes), c.Name)
		if c.Free > 0 {
			set(copyFree, float64(c.Free), c.Name)
		}
		if !c.Oldest.IsZero() {
			set(checked, float64(c.Oldest.Unix()), c.Name)
		}
	}
}
