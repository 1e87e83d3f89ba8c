package main

import (
	"os"
	"path/filepath"
)

// storing compares storing a package in three copies with the same work by hand.
type storing struct {
	Bytes  int64 // of the package
	Files  int
	Pack   usage
	Ingest usage
	Floor  usage // sha512sum, and three times cp and sync
	Audit  usage
	Sums   usage // sha512sum of the three copies
	Export usage
}

// byHand does the work without Quire: it digests the files once, then copies and syncs them three
// times. It does not verify the copies.
const byHand = `
find "$1" -type f -exec sha512sum {} + >/dev/null
mkdir -p "$2"
for n in 1 2 3; do
	cp -r "$1" "$2/$n"
	find "$2/$n" -type f -exec sync {} +
done`

const digestAll = `find "$1" -type f -exec sha512sum {} + >/dev/null`

func measureStoring(o options) (storing, error) {
	var s storing
	for range o.rounds {
		if err := s.round(o); err != nil {
			return s, err
		}
	}
	return s, nil
}

// round packs, stores, audits and exports once. All compared commands begin with an equally cold
// cache.
func (s *storing) round(o options) error {
	at := func(name string) string { return filepath.Join(o.work, "store", name) }
	if err := os.RemoveAll(at("")); err != nil {
		return err
	}
	if err := os.MkdirAll(at(""), 0o777); err != nil {
		return err
	}
	if err := cold(&s.Pack, o.quire, "pack", filepath.Join(o.work, "containers"), "--out", at("package"), "--id",
		"urn:bench:storing"); err != nil {
		return err
	}
	var err error
	if s.Files, s.Bytes, err = weigh(at("package")); err != nil {
		return err
	}
	if _, _, err := run(o.quire, "init", at("repository")); err != nil {
		return err
	}
	for _, step := range []struct {
		to      *usage
		command []string
	}{
		{&s.Floor, []string{"sh", "-e", "-c", byHand, "sh", at("package"), at("by-hand")}},
		{&s.Ingest, []string{o.quire, "ingest", at("package"), "--repo", at("repository")}},
		{&s.Sums, []string{"sh", "-e", "-c", digestAll, "sh", at("by-hand")}},
		{&s.Audit, []string{o.quire, "audit", "--repo", at("repository")}},
		{&s.Export, []string{o.quire, "export", "urn:bench:storing", "--repo", at("repository"), "--out",
			at("exported")}},
	} {
		if err := cold(step.to, step.command...); err != nil {
			return err
		}
	}
	return os.RemoveAll(at(""))
}

// cold runs a command with an empty page cache, if caches can be dropped.
func cold(to *usage, command ...string) error {
	if err := cool(); err != nil {
		return err
	}
	u, _, err := run(command...)
	if err != nil {
		return err
	}
	to.best(u)
	return nil
}

// weigh counts the files below a folder, and their bytes.
func weigh(folder string) (files int, bytes int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files++
			bytes += info.Size()
		}
		return err
	})
	return files, bytes, err
}
