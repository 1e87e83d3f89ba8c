package store

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	remote "quire/repository/place"
)

// generous is a place that sends more bytes of a file than it lists.
type generous struct {
	*remote.Folder
	sent int64
}

func (g *generous) Open(ctx context.Context, name string, offset int64) (io.ReadCloser, error) {
	r, err := g.Folder.Open(ctx, name, offset)
	if err != nil || !strings.HasSuffix(name, ".gz") {
		return r, err
	}
	more := io.MultiReader(r, io.LimitReader(zeros{}, 64<<20))
	return struct {
		io.Reader
		io.Closer
	}{io.TeeReader(more, counting{&g.sent}), r}, nil
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

type counting struct{ n *int64 }

func (c counting) Write(p []byte) (int, error) { *c.n += int64(len(p)); return len(p), nil }

// TestFarSendsTooMuch: a place that sends more bytes than the file has fills no disk, in a repair and in an export.
func TestFarSendsTooMuch(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	mustAdd(t, s, mount(t))
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	card, err := s.card(ctx, damagedID)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range s.folders() {
		remove(t, filepath.Join(c.object(card.Path), "v1/content/data/crawl.warc.gz"))
	}
	damage, err := NewDamage()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = damage.Close() }()
	if _, err := s.Audit(ctx, nil, AuditOptions{Damage: damage}); err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]func() error{
		"export": func() error {
			_, err := s.Export(ctx, damagedID, filepath.Join(t.TempDir(), "out"), ExportOptions{})
			return err
		},
		"repair": func() (failed error) {
			_, err := s.RepairAll(ctx, damage, RepairOptions{}, func(_ RepairReport, err error) error {
				failed = err
				return nil
			})
			return errors.Join(failed, err)
		},
	} {
		g := &generous{Folder: s.copies[3].far.(*remote.Folder)}
		s.copies[3].far = g
		err := run()
		if err == nil || g.sent == 0 || g.sent > 1<<20 {
			t.Errorf("%s: %d bytes were read, %v", name, g.sent, err)
		}
		s.copies[3].far = g.Folder
	}
}
