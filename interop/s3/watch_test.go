//go:build interop

package s3

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"
)

// upload puts the files of a folder into a bucket.
func (p *program) upload(folder, bucket, prefix string) {
	p.t.Helper()
	err := filepath.WalkDir(folder, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, file)
		if err != nil {
			return err
		}
		name = path.Join(prefix, filepath.ToSlash(name))
		_, err = p.service.client().FPutObject(context.Background(), bucket, name, file, minio.PutObjectOptions{})
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
}

// TestWatchBucket stores a package that arrives in a bucket, when its marker is there, and then removes its local copy.
func TestWatchBucket(t *testing.T) {
	p := newProgram(t)
	p.service.bucket("deliveries", false)
	p.must("init", "repo", "--copy", "one")
	pkg := filepath.Join(p.folder, p.pack(1))
	p.upload(pkg, "deliveries", "in/first")
	watch := []string{"watch", "s3://deliveries/in", "--once", "--json"}
	if out := p.must(watch...); out != "" {
		t.Errorf("before the marker: %s", out)
	}
	marker := filepath.Join(t.TempDir(), "first.complete")
	if err := os.WriteFile(marker, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	p.upload(filepath.Dir(marker), "deliveries", "in")
	if out := p.must(watch...); !strings.Contains(out, `"path":"s3://deliveries/in/first"`) || !strings.Contains(out,
		`"job":1`) {
		t.Errorf("with the marker: %s", out)
	}
	p.must("work", "--drain")
	if out := p.must(watch...); out != "" {
		t.Errorf("afterwards: %s", out)
	}
	if out := p.must("list"); !strings.Contains(out, identifier(1)) {
		t.Errorf("stored: %s", out)
	}
	left, err := os.ReadDir(filepath.Join(p.folder, "repo", "jobs", "arrived"))
	if err != nil || len(left) != 0 {
		t.Errorf("the spool has %v, %v", left, err)
	}
}
