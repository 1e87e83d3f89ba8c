package warcmeta

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/prove"
)

// The test binary runs itself as a child that adds descriptions in place, and kills it.
const childEnv = "QUIRE_ATTACH_TEST_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		if _, err := Run(context.Background(), []string{path}, killOptions(os.Getenv(childEnv+"_OUT"))); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func killOptions(out string) Options {
	o := options(row(2, "http://a.org/"), row(3, "http://b.org/"))
	o.Out, o.InPlace = out, out == ""
	return o
}

// child runs until it ends, or is killed after a while; 0 means no kill.
func child(t *testing.T, path, out string, after time.Duration) (killed bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+path, childEnv+"_OUT="+out)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if after > 0 {
		timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() }) // it may have ended
		defer timer.Stop()
	}
	err := cmd.Wait()
	if err != nil && said.Len() > 0 {
		t.Fatal(err, said.String())
	}
	return err != nil
}

// After SIGKILL at any moment, the file is the old or the new one, and all other files are removed
// by the next run.
func TestKill(t *testing.T) {
	kills := prove.Rounds(1, 20, 200)
	for _, name := range []string{"a.warc", "a.warc.gz"} {
		dir := t.TempDir()
		noise := make([]byte, 6<<20)
		random := rand.New(rand.NewPCG(1, 2))
		for i := range noise {
			noise[i] = 'a' + byte(random.UintN(26))
		}
		path := crawl(t, filepath.Join(dir, name), "2020-01-01 http://a.org/ 200", "2020-01-01 http://b.org/ 200",
			"2020-01-01 http://c.org/"+string(noise[:100])+" 200 "+string(noise))
		old := read(t, path)
		start := time.Now()
		child(t, path, "", 0)
		whole := time.Since(start)
		made := read(t, path)
		if len(made) <= len(old) || !bytes.HasPrefix(made, old) {
			t.Fatal("a child that is left alone does not do its work")
		}
		before, after := 0, 0
		for n := range kills {
			if err := os.WriteFile(path, old, 0o644); err != nil {
				t.Fatal(err)
			}
			child(t, path, "", time.Duration(n+1)*2*whole/time.Duration(kills)+
				time.Duration(random.Int64N(int64(whole)/int64(kills))))
			switch now := read(t, path); {
			case bytes.Equal(now, old):
				before++
			case bytes.Equal(now, made):
				after++
			default:
				t.Fatalf("kill %d of %s left something else: %d bytes, the old have %d, the new %d", n, name, len(now),
					len(old), len(made))
			}
			for _, left := range names(t, dir) {
				if left != name && !strings.HasPrefix(left, ".quire-work-") {
					t.Errorf("kill %d left %s", n, left)
				}
			}
		}
		t.Logf("%s: %v left alone; killed %d times: %d times the old file, %d times the new", name, whole, kills,
			before, after)
		if child(t, path, "", 0); !bytes.Equal(read(t, path), made) || !slices.Equal(names(t, dir), []string{name}) {
			t.Errorf("the next run does not finish the work: %s", names(t, dir))
		}
	}
}

// The same for a new file: it is complete or absent.
func TestKillNewFile(t *testing.T) {
	dir := t.TempDir()
	path := crawl(t, filepath.Join(dir, "a.warc.gz"), "2020-01-01 http://a.org/ 200", "2020-01-01 http://b.org/ 200")
	start := time.Now()
	child(t, path, dir, 0)
	whole := time.Since(start)
	const name = "descriptions-20261122120000.warc.gz"
	made := read(t, filepath.Join(dir, name))
	for n := range 20 {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		child(t, path, dir, time.Duration(n+1)*whole/20)
		if got, err := os.ReadFile(filepath.Join(dir, name)); err == nil && !bytes.Equal(got, made) {
			t.Fatalf("kill %d left a part of the file", n)
		}
		child(t, path, dir, 0)
		if got := read(t, filepath.Join(dir, name)); !bytes.Equal(got, made) || len(names(t, dir)) != 2 {
			t.Fatalf("kill %d: the next run does not make it: %s", n, names(t, dir))
		}
	}
}
