//go:build interop

package s3

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"quire/internal/prove"
	"quire/repository/ocfl"
	"quire/repository/register"
)

// program runs build/quire in a folder of its own, with a bucket of versitygw.
type program struct {
	t       *testing.T
	service *service
	folder  string
}

func newProgram(t *testing.T) *program {
	s := newService(t)
	s.bucket("archive", false)
	return &program{t: t, service: s, folder: t.TempDir()}
}

// command prepares build/quire with an argument list.
func (p *program) command(args ...string) *exec.Cmd {
	p.t.Helper()
	tool, err := filepath.Abs("../../build/quire")
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.Command(tool, args...)
	cmd.Dir = p.folder
	cmd.Env = append(os.Environ(), "QUIRE_REPO=repo", "QUIRE_S3_ENDPOINT="+p.service.endpoint(), "AWS_REGION=us-east-1",
		"AWS_ACCESS_KEY_ID="+accessKey, "AWS_SECRET_ACCESS_KEY="+secretKey)
	return cmd
}

// must runs a command that succeeds, and returns its output.
func (p *program) must(args ...string) string {
	p.t.Helper()
	out, err := p.command(args...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("quire %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// pack makes a package with a container of random text.
func (p *program) pack(n int) string {
	p.t.Helper()
	body := make([]byte, 150_000)
	random := rand.New(rand.NewPCG(uint64(n), 7))
	for i := range body {
		body[i] = 'a' + byte(random.IntN(26))
	}
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + string(body)
	record := fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Record-ID: "+
		"<urn:uuid:00000000-0000-4000-8000-%012d>\r\nWARC-Target-URI: http://example.org/%d\r\nContent-Type: "+
		"application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", n, n, len(block), block)
	crawl := filepath.Join(p.folder, fmt.Sprint("crawl-", n))
	if err := os.MkdirAll(crawl, 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(crawl, "a.warc"), []byte(record), 0o644); err != nil {
		p.t.Fatal(err)
	}
	name := fmt.Sprint("package-", n)
	p.must("pack", crawl, "--out", name, "--id", fmt.Sprint("urn:test:", n))
	return name
}

// download copies the files of a folder of the bucket into a new folder, and returns its path.
func (p *program) download(prefix, folder string) string {
	p.t.Helper()
	ctx, client, dir := context.Background(), p.service.client(), p.t.TempDir()
	all := minio.ListObjectsOptions{Prefix: prefix + "/" + folder + "/", Recursive: true}
	for o := range client.ListObjectsIter(ctx, "archive", all) {
		if o.Err != nil {
			p.t.Fatal(o.Err)
		}
		name := filepath.Join(dir, strings.TrimPrefix(o.Key, prefix))
		if err := client.FGetObject(ctx, "archive", o.Key, name, minio.GetObjectOptions{}); err != nil {
			p.t.Fatal(err)
		}
	}
	return filepath.Join(dir, folder)
}

// bucketValid downloads the bucket, and validates it as an OCFL storage root.
func (p *program) bucketValid(prefix string, want int) {
	p.t.Helper()
	ctx := context.Background()
	objects := 0
	fsys := os.DirFS(p.download(prefix, "ocfl"))
	root, err := ocfl.ValidateRoot(ctx, fsys, ocfl.Options{Object: func(r *ocfl.Result) {
		objects++
		for _, issue := range append(r.Errors, r.Warnings...) {
			p.t.Errorf("%s: %v", r.ID, issue)
		}
	}})
	if err != nil || len(root.Errors) > 0 || objects != want {
		p.t.Errorf("the bucket has %d objects, want %d: %v, %v", objects, want, root.Errors, err)
	}
}

// registerValid downloads the register in the bucket, and verifies it by the key of the repository.
func (p *program) registerValid(prefix string) {
	p.t.Helper()
	key, err := register.PublicKey(filepath.Join(p.folder, "repo", "register.key"))
	if err != nil {
		p.t.Fatal(err)
	}
	report, err := register.Verify(context.Background(), p.download(prefix, "register"),
		register.VerifyOptions{Keys: []string{key}})
	if err != nil || !report.OK() || report.Head.Size < 10 {
		p.t.Errorf("%d leaves in the bucket: %v, %v", report.Head.Size, report.Findings, err)
	}
}

// harmRegister removes the head of the register in the bucket. An audit finds that, and writes it again.
func (p *program) harmRegister(prefix string) {
	p.t.Helper()
	err := p.service.client().RemoveObject(context.Background(), "archive", prefix+"/register/checkpoint",
		minio.RemoveObjectOptions{})
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := p.command("audit").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "REGISTER-MISSING") {
		p.t.Errorf("the audit: %v, %s", err, out)
	}
	p.must("audit")
	p.registerValid(prefix)
}

// TestBucketCopy stores packages in a bucket, and brings them back from it alone.
func TestBucketCopy(t *testing.T) {
	p := newProgram(t)
	p.must("init", "repo", "--copy", "one", "--copy", "s3://archive/quire")
	first := p.pack(1)
	if out := p.must("ingest", first); !strings.Contains(out, "s3://archive/quire/ocfl/") {
		t.Errorf("ingest: %s", out)
	}
	p.must("ingest", p.pack(2))
	p.must("audit")
	if out := p.must("copy", "check"); !strings.Contains(out, "it checks the SHA-256 of each upload") {
		t.Errorf("check: %s", out)
	}
	p.bucketValid("quire", 2)
	p.registerValid("quire")
	keys := map[string][]byte{}
	for _, name := range []string{"register.key", "register.key.state"} { // a backup, as the documents ask for
		text, err := os.ReadFile(filepath.Join(p.folder, "repo", name))
		if err != nil {
			t.Fatal(err)
		}
		keys[name] = text
	}
	was := p.must("register", "show")
	for _, name := range []string{"repo", "one"} {
		if out, err := exec.Command("sh", "-c", "chmod -R u+w "+name+" && rm -r "+name).CombinedOutput(); err == nil {
			t.Logf("%s", out)
		}
		if err := os.RemoveAll(filepath.Join(p.folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(p.folder, "repo"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range keys {
		if err := os.WriteFile(filepath.Join(p.folder, "repo", name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out := p.must("init", "rebuild", "repo", "--copy", "two", "--copy", "s3://archive/quire"); strings.Contains(out,
		"a new key begins") {
		t.Errorf("rebuild: %s", out)
	}
	p.must("audit")
	_, firstKey, _ := strings.Cut(was, "first: ")
	if now := p.must("register", "show"); !strings.Contains(now, strings.Fields(firstKey)[0]) {
		t.Errorf("the register is another one: %s, was %s", now, was)
	}
	p.registerValid("quire")
	p.harmRegister("quire")
	p.must("export", "urn:test:1", "--out", "back")
	if out, err := exec.Command("diff", "-r", filepath.Join(p.folder, first), filepath.Join(p.folder, "back")).
		CombinedOutput(); err != nil {
		t.Errorf("the package came back changed: %s", out)
	}
}

// killed runs a command, and kills it or versitygw after some time. It returns the output of a command that
// was not killed before its end.
func (p *program) killed(after time.Duration, server bool, args ...string) string {
	p.t.Helper()
	cmd := p.command(args...)
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	done := make(chan struct{})
	timer := time.AfterFunc(after, func() {
		defer close(done)
		if server {
			p.service.kill()
		} else {
			_ = cmd.Process.Kill() // it may have ended
		}
	})
	_ = cmd.Wait() // a killed command has no useful status
	if timer.Stop() {
		close(done)
	}
	<-done
	if server && p.service.cmd.ProcessState != nil {
		p.service.start()
	}
	return out.String()
}

// TestKillWithBucket kills quire, or versitygw, during ingests and while a bucket is added and filled.
// After each kill, no acknowledged package is lost, and the folders have no damage. At the end everything
// is in the bucket.
func TestKillWithBucket(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	p := newProgram(t)
	kills, serial, buckets := prove.Rounds(4, 6, 150), 0, 0
	var stored []string
	fresh := func() {
		for _, name := range []string{"repo", "one", "two"} {
			if err := os.RemoveAll(filepath.Join(p.folder, name)); err != nil {
				t.Fatal(err)
			}
		}
		buckets++
		stored = nil
		p.must("init", "repo", "--copy", "one", "--copy", "two")
	}
	address := func() string { return fmt.Sprintf("s3://archive/quire-%d", buckets) }
	soon := func() time.Duration { return time.Duration(random.Int64N(int64(400 * time.Millisecond))) }
	fresh()
	for n := range kills {
		serial++
		name := p.pack(serial)
		switch {
		case n%10 == 0 && n > 0:
			fresh()
			fallthrough
		case n%10 < 3:
			p.must("ingest", name)
			stored = append(stored, fmt.Sprint("urn:test:", serial))
			p.killed(soon(), random.IntN(2) == 0, "copy", "add", address())
		default:
			if n%10 == 3 {
				p.must("copy", "add", address())
			}
			out := p.killed(soon(), random.IntN(2) == 0, "ingest", name, "--json")
			var r struct {
				ID     string
				Copies []struct{ Name string }
			}
			if json.Unmarshal([]byte(out), &r) == nil && r.ID != "" {
				stored = append(stored, r.ID)
				if len(r.Copies) != 3 {
					t.Errorf("acknowledged in %d copies", len(r.Copies))
				}
			}
		}
		p.whole(n, stored)
		if t.Failed() {
			t.Fatalf("after kill %d, seed %d", n, seed)
		}
	}
	p.must("copy", "add", address())
	p.must("audit", "--repair", "--owed")
	p.must("audit")
	p.bucketValid(fmt.Sprintf("quire-%d", buckets), len(p.list()))
	t.Logf("%d kills: %d packages acknowledged in the last repository", kills, len(stored))
}

// list returns the ids of the stored packages.
func (p *program) list() []string {
	p.t.Helper()
	var ids []string
	for line := range strings.Lines(p.must("list", "--json")) {
		var e struct{ ID string }
		if json.Unmarshal([]byte(line), &e) == nil && e.ID != "" {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// whole checks that all acknowledged packages are listed, and that the folders are whole.
func (p *program) whole(n int, stored []string) {
	p.t.Helper()
	ids := p.list()
	for _, id := range stored {
		if !slices.Contains(ids, id) {
			p.t.Errorf("kill %d: %s was acknowledged, and is lost; listed are %v", n, id, ids)
		}
	}
	p.must("audit", "--copy", "copy-1", "--copy", "copy-2")
}
