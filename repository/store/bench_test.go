package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkIngest stores random data in three copies, with every byte read back and matched. It
// compares this with a lower bound: sha512sum once, three times cp, and sync, without reading back.
// Both run on the file system of the temporary folder (TMPDIR). QUIRE_BENCH_MB sets the size;
// docs/explanation/710_performance.md quotes 1024.
//
//	QUIRE_BENCH_MB=1024 go test -run '^$' -bench Ingest -benchtime 1x ./repository/store
func BenchmarkIngest(b *testing.B) {
	megabytes := 64
	if v, err := strconv.Atoi(os.Getenv("QUIRE_BENCH_MB")); err == nil {
		megabytes = v
	}
	dir := makeLarge(b, megabytes)
	root := filepath.Join(b.TempDir(), "repo")
	s, err := Init(context.Background(), root, InitOptions{Describe: testDescribe})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	b.SetBytes(int64(megabytes) << 20)
	var floor, ours usage
	for n := 0; b.Loop(); n++ {
		b.StopTimer()
		floor.add(measure(b, func() { runFloor(b, dir, filepath.Join(b.TempDir(), strconv.Itoa(n))) }))
		name := filepath.Join(dir, "mets.xml")
		text := strings.Replace(string(mustRead(b, name)), "OBJID=\"", "OBJID=\"x", 1)
		put(b, name, text)
		b.StartTimer()
		ours.add(measure(b, func() { mustIngest(b, s, dir, IngestOptions{}) }))
	}
	b.ReportMetric(ours.cpu.Seconds()/floor.cpu.Seconds(), "cpu/floor")
	b.ReportMetric(ours.wall.Seconds()/floor.wall.Seconds(), "wall/floor")
	b.ReportMetric(floor.wall.Seconds()/float64(b.N), "floor-s")
	b.ReportMetric(floor.cpu.Seconds()/float64(b.N), "floor-cpu-s")
	b.ReportMetric(ours.cpu.Seconds()/float64(b.N), "cpu-s")
}

func mustRead(b *testing.B, path string) []byte {
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	return text
}

// makeLarge creates a package of files of 100 MB and a rest.
func makeLarge(b *testing.B, megabytes int) string {
	b.Helper()
	files := content{}
	random := rand.NewChaCha8([32]byte{})
	for n := 0; megabytes > 0; n++ {
		size := min(megabytes, 100)
		data := make([]byte, size<<20)
		_, _ = random.Read(data) // never fails
		files[fmt.Sprintf("data/%03d.warc.gz", n)] = string(data)
		megabytes -= size
	}
	return makePackage(b, "urn:bench", files)
}

// runFloor runs the equivalent manual commands, without checking their results.
func runFloor(b *testing.B, dir, out string) {
	b.Helper()
	script := `find "$1" -type f -exec sha512sum {} + > /dev/null && mkdir -p "$2" && for n in 1 2 3; do cp -r "$1" ` +
		`"$2/$n" && find "$2/$n" -type f -exec sync {} +; done`
	cmd := exec.Command("sh", "-e", "-c", script, "sh", dir, out)
	if text, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, text)
	}
	if err := os.RemoveAll(out); err != nil {
		b.Fatal(err)
	}
}

// usage is the elapsed time and the processor time of this process and its children.
type usage struct{ wall, cpu time.Duration }

func (u *usage) add(v usage) { u.wall += v.wall; u.cpu += v.cpu }

func measure(b *testing.B, f func()) usage {
	b.Helper()
	before, start := cpuTime(b), time.Now()
	f()
	return usage{wall: time.Since(start), cpu: cpuTime(b) - before}
}

func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var total time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var r syscall.Rusage
		if err := syscall.Getrusage(who, &r); err != nil {
			b.Fatal(err)
		}
		total += time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	return total
}

// BenchmarkAudit reads three copies in place.
func BenchmarkAudit(b *testing.B) {
	s, err := Init(context.Background(), filepath.Join(b.TempDir(), "repo"), InitOptions{Describe: testDescribe})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	mustIngest(b, s, makeLarge(b, 64), IngestOptions{})
	b.SetBytes(3 * 64 << 20)
	for b.Loop() {
		if report, err := s.Audit(context.Background(), nil, AuditOptions{}); err != nil || !report.OK() {
			b.Fatal(report, err)
		}
	}
}

// BenchmarkIngestSmallFiles measures the cost per file: syncs, not bytes.
func BenchmarkIngestSmallFiles(b *testing.B) {
	files := content{}
	for n := range 1000 {
		files[fmt.Sprintf("logs/%d/%04d.log", n%10, n)] = fmt.Sprint("line ", n)
	}
	s, err := Init(context.Background(), filepath.Join(b.TempDir(), "repo"), InitOptions{Describe: testDescribe})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for n := 0; b.Loop(); n++ {
		b.StopTimer()
		dir := makePackage(b, fmt.Sprint("urn:bench:", n), files)
		b.StartTimer()
		mustIngest(b, s, dir, IngestOptions{})
	}
}

// BenchmarkIngestSmallPackages measures the cost per package: notes, events, leaves and the catalogue.
func BenchmarkIngestSmallPackages(b *testing.B) {
	s, err := Init(context.Background(), filepath.Join(fastDir(b), "repo"), InitOptions{Describe: testDescribe})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	var ours usage
	for n := 0; b.Loop(); n++ {
		b.StopTimer()
		dir := makePackage(b, fmt.Sprint("urn:bench:", n), crawl)
		b.StartTimer()
		ours.add(measure(b, func() { mustIngest(b, s, dir, IngestOptions{}) }))
	}
	b.ReportMetric(1000*ours.cpu.Seconds()/float64(b.N), "cpu-ms/op")
}
