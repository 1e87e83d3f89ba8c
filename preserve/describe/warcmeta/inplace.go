package warcmeta

import (
	"bytes"
	"context"
	"crypto/sha512"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"quire/format/inflate"
	"quire/internal/atomicdir"
	"quire/internal/disk"
	"quire/internal/filelock"
	"quire/preserve/aip"
	"quire/source/records"
)

// writeInPlace adds the descriptions to the containers with their captures. One rename replaces
// each old file by the new one.
func (j *job) writeInPlace(ctx context.Context) error {
	return j.eachInPlace(func(path string, c *container, all []*planned) (why string, err error) {
		return j.appendTo(ctx, path, c, all)
	})
}

// eachInPlace visits the containers that can be extended, with the descriptions for each. If the
// visitor leaves a container unchanged, it returns the reason. A container that cannot be extended
// also stays unchanged.
func (j *job) eachInPlace(visit func(path string, c *container, all []*planned) (why string, err error)) error {
	byContainer := map[int][]*planned{}
	for _, p := range j.missing() {
		byContainer[p.container] = append(byContainer[p.container], p)
	}
	for i, c := range j.containers {
		all := byContainer[i]
		if len(all) == 0 {
			continue
		}
		path, why, err := c.writable()
		if why == "" && err == nil {
			why, err = visit(path, c, all)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.Place(), err)
		}
		if why != "" {
			j.refuse(c, why, all)
		}
	}
	return nil
}

// refuse reports, for each row, why a container stays unchanged.
func (j *job) refuse(c *container, why string, all []*planned) {
	told := map[int]bool{}
	for _, p := range all {
		if !told[p.described] {
			told[p.described] = true
			j.miss(&j.o.Rows[p.row], p.Of, c.Place()+" stays unchanged: "+why, nil)
		}
	}
}

// An alternative for a container that cannot be changed.
const elsewhere = "; write a new WARC file beside it (--out)"

// writable returns why a container cannot be changed, or else its resolved path.
func (c *container) writable() (path, why string, err error) {
	path, ok := c.OnDisk()
	_, unfinished := records.NamedContainer(c.Path)
	switch {
	case !ok:
		return "", "it is in an archive" + elsewhere, nil
	case c.arc:
		return "", "an ARC file has no metadata records: convert it to WARC first (quire convert)", nil
	case c.compression == inflate.Zstd:
		return "", "it is compressed with Zstandard, and added records would need its dictionary" + elsewhere, nil
	case c.damage.Faults > 0:
		return "", "it is damaged, and other readers may not reach records after that (" + c.damage.First + ")" +
			elsewhere, nil
	case unfinished:
		return "", "its name shows that the crawler has not finished it" + elsewhere, nil
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", "", err
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if is, err := isPackage(dir); is || err != nil {
			return "", "it is part of the package " + dir + ", whose METS has its digest" + elsewhere +
				", or describe the source of the package, and pack that again", err
		}
		if dir == filepath.Dir(dir) {
			return path, "", nil
		}
	}
}

func isPackage(dir string) (bool, error) {
	for _, name := range []string{aip.METSName, aip.DigestName} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
				return false, nil
			}
			return false, err
		}
	}
	return true, nil
}

// errBusy reports that another process works on the same file.
var errBusy = errors.New("another run is adding to it, or it changed after it was read: wait until no " +
	"program writes to it, and try again")

// appendTo writes a copy of the file with the descriptions at its end, reads it back from disk, and
// replaces the file. why is the reason why the file stays unchanged.
func (j *job) appendTo(ctx context.Context, path string, c *container, all []*planned) (why string, err error) {
	old, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = old.Close() }() // it was only read; this also releases the lock
	if errors.Is(filelock.Try(old), filelock.ErrHeld) {
		return "", errBusy
	}
	info, err := c.unchanged(old, path)
	if err != nil {
		return "", err
	}
	work, err := atomicdir.Beside(path)
	if err != nil {
		return "", err
	}
	defer work.End(&err)
	temp := filepath.Join(work.Path(), filepath.Base(path))
	sum := sha512.New()
	added, err := j.writeCopy(ctx, old, info, temp, sum, c.compression == inflate.Gzip, all)
	if err != nil {
		return "", err
	}
	if why, err = j.verify(ctx, temp, c, sum.Sum(nil), all); why != "" || err != nil {
		return why, err
	}
	if _, err := c.unchanged(old, path); err != nil {
		return "", err
	}
	if err := os.Rename(temp, path); err != nil {
		return "", err
	}
	j.wrote(all, File{Path: path, Bytes: c.size + added, Added: added})
	return "", disk.SyncFolder(filepath.Dir(path))
}

// unchanged checks that the opened file is still the one at the path, and the one that was read.
func (c *container) unchanged(old *os.File, path string) (fs.FileInfo, error) {
	info, err := old.Stat()
	if err != nil {
		return nil, err
	}
	now, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !os.SameFile(info, now) || info.Size() != c.size || !info.ModTime().Equal(c.modified) {
		return nil, errBusy
	}
	return info, nil
}

// writeCopy copies the file, adds the records, and syncs the copy to disk. It keeps permissions and
// owner.
func (j *job) writeCopy(ctx context.Context, old *os.File, info fs.FileInfo, temp string, sum hash.Hash, zip bool,
	all []*planned) (added int64, err error) {
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if n, err := io.Copy(io.MultiWriter(f, sum), &stopping{ctx, old}); err != nil || n != info.Size() {
		return 0, errors.Join(err, fmt.Errorf("%d of %d bytes were copied", n, info.Size()))
	}
	if added, err = j.writeRecords(ctx, f, filepath.Base(old.Name()), zip, all); err != nil {
		return 0, err
	}
	if err := disk.KeepOwner(f, info); err != nil {
		return 0, fmt.Errorf("it belongs to another user, and the copy would have another owner: %w", err)
	}
	return added, errors.Join(f.Chmod(info.Mode().Perm()), f.Sync())
}

// stopping reads until the context ends.
type stopping struct {
	ctx context.Context
	in  io.Reader
}

func (s *stopping) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.in.Read(p)
}

// verify reads the new file back. It must begin with the old file, byte for byte. A record reader
// must find the same records as before, followed by the descriptions.
func (j *job) verify(ctx context.Context, temp string, c *container, sum []byte, all []*planned) (why string,
	err error) {
	f, err := os.Open(temp)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // it was only read
	h := sha512.New()
	if _, err := io.Copy(h, io.LimitReader(&stopping{ctx, f}, c.size)); err != nil {
		return "", err
	}
	if !bytes.Equal(h.Sum(nil), sum) {
		return "", errors.New("the copy reads back differently from disk: check the disk")
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	at, wrong := int64(0), false
	n, err := eachRecord(ctx, f, nil, nil, func(_ *records.Reader, r *records.Record) error {
		if at++; at <= c.records+1 || wrong { // the earlier records, and Quire's warcinfo
			return nil
		}
		i := at - c.records - 2
		if wrong = i >= int64(len(all)) || !isDescription(r); wrong {
			return nil
		}
		w, _, err := readWritten(r)
		wrong = w.ID != all[i].ID || w.Sum != all[i].Sum
		return err
	})
	if err != nil {
		return "", err
	}
	if wrong || n != c.records+1+int64(len(all)) {
		return "the records added to its copy could not be read back" + elsewhere, nil
	}
	return "", nil
}
