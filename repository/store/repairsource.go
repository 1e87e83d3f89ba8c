package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

// repairFile is one file of the new object, with the copies that may have it whole, best first.
type repairFile struct {
	path    string
	digest  string
	size    int64 // in the first source
	sources []*copyFolder
	far     *copyFolder // if no folder has it
}

// list lists the files of the object, with their sources. The error names the files that no present
// copy has whole. Nothing is written before.
func (r *repair) list(ctx context.Context) error {
	var wrong problems
	if r.expect.truth == nil {
		wrong.add(ocfl.InventoryFile, "no copy has the inventory with SHA-512 %s", r.card.Inventory)
		return r.lost(&wrong)
	}
	made := r.made()
	order := r.order()
	for _, name := range sortedKeys(r.expect.digests) {
		if made[name] != nil {
			continue
		}
		f := repairFile{path: name, digest: r.expect.digests[name]}
		for _, c := range order {
			info, err := os.Lstat(filepath.Join(c.object(r.card.Path), filepath.FromSlash(name)))
			if r.faults[c][name] {
				continue
			}
			if err != nil || !info.Mode().IsRegular() {
				r.report.fresh = r.report.fresh || !slices.Contains(r.bad, c)
				continue
			}
			if len(f.sources) == 0 {
				f.size = info.Size()
			}
			f.sources = append(f.sources, c)
		}
		if len(f.sources) == 0 {
			if f.far = r.farSource(ctx, name); f.far == nil {
				wrong.add(name, "is whole in no copy")
			} else {
				f.size = r.farFiles[f.far][name]
			}
		}
		r.files = append(r.files, f)
	}
	return r.lost(&wrong)
}

// lost returns the error about files that no present copy has whole.
func (r *repair) lost(wrong *problems) error {
	subject := "package " + r.card.ID + " cannot be put together from the copies, so nothing was changed"
	for _, name := range r.report.Away {
		subject += "; " + name + " is away: mount it, and repair again"
	}
	return wrong.err(subject)
}

// order returns the copies to read from: first those without a known fault.
func (r *repair) order() []*copyFolder {
	order := slices.Clone(r.present)
	slices.SortStableFunc(order, func(a, b *copyFolder) int {
		return rank(slices.Contains(r.bad, a)) - rank(slices.Contains(r.bad, b))
	})
	return order
}

func rank(later bool) int {
	if later {
		return 1
	}
	return 0
}

// bytes returns the size of the files to copy.
func (r *repair) bytes() int64 {
	var sum int64
	for _, f := range r.files {
		sum += f.size
	}
	return sum
}

// made returns the files whose content follows from the catalogue and the inventory. They need no
// copy.
func (r *repair) made() map[string][]byte { return madeFiles(r.card, r.expect) }

func madeFiles(card catalogue.Package, expect *expectation) map[string][]byte {
	name, content := ocfl.ObjectDeclaration()
	files := map[string][]byte{name: content}
	inventory := func(folder, sum string) {
		name, content := ocfl.Sidecar(ocfl.SHA512, sum)
		files[folder+name] = content
		if sum == card.Inventory {
			files[folder+ocfl.InventoryFile] = expect.truth.text
		}
	}
	inventory("", card.Inventory)
	for n := 1; n <= card.Head; n++ {
		folder := versionName(n) + "/"
		if sum := expect.digests[folder+ocfl.InventoryFile]; sum != "" {
			inventory(folder, sum)
		}
	}
	return files
}

// stage writes the object. It reads each file once, from its best source. Only a file that proves to
// be wrong there is read again, from its next source.
func (r *repair) stage(ctx context.Context, progress func(Progress)) error {
	meter := newMeter(progress, Copying, r.bytes())
	if err := r.fetchFar(ctx); err != nil {
		return err
	}
	for left := r.files; len(left) > 0; {
		next, err := r.stageOnce(ctx, left, meter)
		if err != nil {
			return err
		}
		left = next
	}
	files := r.made()
	for _, name := range sortedKeys(files) {
		for _, c := range r.bad {
			path := filepath.Join(c.stagedObject(r.journal.Tx), filepath.FromSlash(name))
			if err := r.store.disk.mkdirAll(filepath.Dir(path)); err != nil {
				return err
			}
			if err := r.store.disk.writeFile(path, files[name], storedFile); err != nil {
				return err
			}
		}
	}
	return nil
}

// stageOnce writes files from their first sources. It returns those that were wrong there, without
// that source.
func (r *repair) stageOnce(ctx context.Context, files []repairFile, meter *meter) ([]repairFile, error) {
	v := &survey{}
	job := &stageJob{survey: v, keep: make([]bool, len(files)), disk: r.store.disk, advance: meter.add,
		failed: map[int]error{}}
	for i, f := range files {
		s := sourceFile{path: f.path, stated: f.digest, dir: f.sources[0].object(r.card.Path)}
		info, err := os.Lstat(v.diskPath(s))
		if err == nil {
			s.size, s.mod = info.Size(), info.ModTime()
		}
		v.files = append(v.files, s)
		job.keep[i] = true
	}
	for _, c := range r.bad {
		job.folders = append(job.folders, c.stagedObject(r.journal.Tx))
	}
	if err := job.stage(ctx); err != nil {
		return nil, err
	}
	var left []repairFile
	var wrong problems
	for i, f := range files {
		if job.failed[i] == nil && v.files[i].found == f.digest {
			r.use(f.sources[0])
			continue
		}
		r.addWrong(f, v.files[i].found, job.failed[i])
		if f.sources = f.sources[1:]; len(f.sources) == 0 {
			wrong.add(f.path, "is whole in no copy")
			continue
		}
		for _, c := range r.bad {
			path := filepath.Join(c.stagedObject(r.journal.Tx), filepath.FromSlash(f.path))
			if err := r.store.disk.removeAll(path); err != nil {
				return nil, err
			}
		}
		left = append(left, f)
	}
	return left, r.lost(&wrong)
}

// addWrong reports a file that is not whole in its source, although nothing was known against it.
func (r *repair) addWrong(f repairFile, got string, err error) {
	r.report.fresh = true
	finding := Finding{Code: WrongDigest, Copy: f.sources[0].name, Package: r.card.ID, File: f.path, Expected: f.digest,
		Found: got, Detail: "has different bytes than were stored (SHA-512)"}
	if err != nil {
		finding = Finding{Code: UnreadableFile, Copy: f.sources[0].name, Package: r.card.ID, File: f.path,
			Detail: fmt.Sprintf("cannot be read: %v", err)}
	}
	r.addFinding(finding)
}

// facts are the results of an earlier reading of a package, for its repair.
type facts struct {
	ID        string                      `json:"id"`
	Inventory string                      `json:"inventory"` // of the package when it was read
	Copies    map[string]catalogue.Status `json:"copies"`    // states of the copies that are not good
	Bytes     int64                       `json:"bytes"`

	object string // its OCFL id, if it is known
}
