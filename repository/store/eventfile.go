package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

// EventFile returns the PREMIS file of an event of a package, from the first copy that has it, or makes it of the line
// in a record.
func (s *Store) EventFile(ctx context.Context, id, file string) ([]byte, error) {
	card, err := s.card(ctx, id)
	if err != nil {
		return nil, err
	}
	if file != filepath.Base(file) {
		return nil, fmt.Errorf("%q is not the file of an event", file)
	}
	if !strings.HasSuffix(file, ".xml") {
		return s.lineFile(ctx, id, file)
	}
	failed := fmt.Errorf("event %s of package %s: %w", file, id, fs.ErrNotExist)
	for _, c := range s.present() {
		text, err := readSmall(filepath.Join(c.object(card.Path), ocfl.LogsDir, file), maxEventSize)
		if err == nil {
			return text, nil
		}
		failed = errors.Join(failed, err)
	}
	return nil, failed
}

// PackagesWith returns the ids of the packages with an event of a type whose detail begins with a text,
// sorted, at most limit. It omits documents.
func (s *Store) PackagesWith(ctx context.Context, kind model.EventType, prefix string, limit int) ([]string, error) {
	ids, err := s.catalogue.PackagesWith(ctx, string(kind), prefix, limit)
	return slices.DeleteFunc(ids, func(id string) bool { _, is := catalogue.DocumentName(id); return is }), err
}
