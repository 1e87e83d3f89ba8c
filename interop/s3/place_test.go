//go:build interop

package s3

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"

	"quire/repository/place"
	"quire/repository/place/placetest"
)

// TestPlace runs the tests of every kind of place. versitygw looks for a file before it writes it, so two
// racing writers may both succeed.
func TestPlace(t *testing.T) {
	s := newService(t)
	n := 0
	placetest.Run(t, placetest.Kind{Racers: true, Open: func(t *testing.T) place.Place {
		n++
		name := fmt.Sprint("bucket-", n)
		s.bucket(name, false)
		p, err := place.NewS3(name, "some/prefix", s.settings())
		if err != nil {
			t.Fatal(err)
		}
		return p
	}})
}

// TestRetention writes files with an object lock. A file can be hidden, but its bytes stay.
func TestRetention(t *testing.T) {
	ctx := context.Background()
	s := newService(t)
	s.bucket("locked", true)
	with := s.settings()
	with.Retention, with.RetentionDays = "COMPLIANCE", 2
	p, err := place.NewS3("locked", "", with)
	if err != nil {
		t.Fatal(err)
	}
	c, err := place.Sum(ctx, strings.NewReader("text"), 4)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(ctx, "f", strings.NewReader("text"), c); err != nil {
		t.Fatal(err)
	}
	client := s.client()
	o, err := client.StatObject(ctx, "locked", "f", minio.StatObjectOptions{})
	if err != nil || o.VersionID == "" {
		t.Fatalf("version %q, %v", o.VersionID, err)
	}
	if mode := o.Headers.Get("X-Amz-Object-Lock-Mode"); mode != "COMPLIANCE" {
		t.Errorf("the mode of the lock is %q", mode)
	}
	remove := minio.RemoveObjectOptions{VersionID: o.VersionID, GovernanceBypass: true}
	if err := client.RemoveObject(ctx, "locked", "f", remove); err == nil {
		t.Error("the version was removed in spite of its lock")
	}
	if got := placetest.Read(t, p, "f", 0); got != "text" {
		t.Errorf("the file has %q", got)
	}
	if err := p.Erase(ctx, "", nil); err == nil {
		t.Error("the file was erased in spite of its lock")
	}
}

// TestErase removes a file with all its versions.
func TestErase(t *testing.T) {
	ctx := context.Background()
	s := newService(t)
	s.bucket("versions", false)
	client := s.client()
	if err := client.EnableVersioning(ctx, "versions"); err != nil {
		t.Fatal(err)
	}
	p, err := place.NewS3("versions", "x", s.settings())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"f", "f", "f2"} {
		if err := p.Replace(ctx, name, []byte("text of "+name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Remove(ctx, "f"); err != nil {
		t.Fatal(err)
	}
	if err := p.Erase(ctx, "f", func(name string) bool { return name == "f" }); err != nil {
		t.Fatal(err)
	}
	all := minio.ListObjectsOptions{WithVersions: true, Recursive: true}
	for o := range client.ListObjectsIter(ctx, "versions", all) {
		if o.Err != nil || o.Key != "x/f2" {
			t.Errorf("there is still %s, version %s, %v", o.Key, o.VersionID, o.Err)
		}
	}
	if got := placetest.Read(t, p, "f2", 0); got != "text of f2" {
		t.Errorf("another file has %q", got)
	}
}
