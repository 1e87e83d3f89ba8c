package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"quire/internal/postgres"
	"quire/model"
	"quire/repository/catalogue"
)

// Entries of a repository folder.
const (
	repositoryFile = "quire-repository.json"
	catalogueFile  = "catalogue.db"
	journalFolder  = "journal"
	locksFolder    = "locks"
)

// DescribeFunc reads the description of a package from its mets.xml: id, title, counts, and the
// listed files with size and SHA-512. The Store calls it for the package as received, and again for
// the content of the copies.
type DescribeFunc func(fsys fs.FS) (model.Package, error)

// Options are the settings of [Open].
type Options struct {
	Describe DescribeFunc // required
	Software string       // name and version of the program, for events; default "quire"

	// ReadOnly opens the repository without writing to it. [Open] does so by itself if it may not
	// write.
	ReadOnly bool

	// Reading says that the caller changes nothing. Then another process that writes to the catalogue
	// does not keep the caller from reading: recovery is tried, and left to the next command.
	Reading bool

	// Job is what this process does for a queue; nil for nothing.
	Job Job
}

// Store is an open repository. Several goroutines may use it, and several processes may have the
// same repository open: writers to one object exclude each other.
type Store struct {
	root      string
	id        string // UUID of the repository
	copies    []*copyFolder
	places    []CopyPlace // of the copies, as in the repository file
	catalogue *catalogue.Catalogue
	database  *postgres.Place // of the catalogue; nil: it is a file
	describe  DescribeFunc
	software  string
	disk      *disk
	rules     Rules
	// maxFindings bounds the findings in a report; callbacks receive all.
	maxFindings int
	// batchObjects bounds the packages of a batch of a refill.
	batchObjects int
	locks        locker
	users        *lock // shared while the repository is open; a rebuild needs it exclusively
	readOnly     bool
	onlyReads    bool // see Options.Reading
	created      time.Time
	now          func() time.Time // tests set another clock
	wait         func(ctx context.Context, d time.Duration)

	ledger ledger
	job    Job // see Options.Job

	anchors    []string
	rebuilding bool     // the catalogue is made from the copies
	stagedRuns []string // runs of copying that the rebuild reads
	trust      string   // the copy that a person chose where copies and register disagree

	mu        sync.Mutex
	recovered []Recovery
	purges    *purges          // as last read
	unpurged  map[string]error // why a purge could not clear a copy
}

// ErrUnsupported reports that this system cannot hold a repository. On Windows, folder entries
// cannot be synced to disk at a given moment, and folders have no locks.
var ErrUnsupported = errors.New("repositories are not supported on Windows: use Linux for them; inspect, " +
	"convert, pack and validate work here")

const supported = runtime.GOOS != "windows"

// Open opens the repository in a folder. It first finishes or undoes the changes of killed
// processes; [Store.Recovered] lists them. A missing copy does not prevent reading the others.
//
// If this process may not write to the repository, Open opens it for reading only
// ([Store.ReadOnly]): nothing is recovered, and writing methods return [ErrReadOnly].
func Open(ctx context.Context, repo string, o Options) (*Store, error) {
	if !supported {
		return nil, ErrUnsupported
	}
	return openWith(ctx, repo, o, &disk{})
}

func openWith(ctx context.Context, repo string, o Options, d *disk) (*Store, error) {
	if o.Describe == nil {
		return nil, errors.New("store.Open: Options.Describe is required")
	}
	config, err := readConfig(repo)
	if err != nil {
		return nil, err
	}
	if err := d.permit(config.Permissions); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(repo, repositoryFile), err)
	}
	s, err := newStore(repo, config, o, d)
	if err != nil {
		return nil, err
	}
	if now, err := readConfig(repo); err == nil && now.Catalogue != config.Catalogue {
		return nil, errors.Join(fmt.Errorf("repository %s: its catalogue was moved at this moment; try again", repo),
			s.leave())
	}
	if err := s.checkCatalogue(ctx, repo); err != nil {
		return nil, errors.Join(err, s.leave())
	}
	if s.catalogue, err = s.openCatalogue(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("repository %s: %w", repo, err), s.leave())
	}
	if err := s.settleAll(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("repository %s: recovery: %w", repo, err), s.Close())
	}
	return s, nil
}

// settleAll finishes or undoes the changes of dead processes, as far as this process may write. A command
// that only reads leaves it to the next one if another process is busy with the catalogue.
func (s *Store) settleAll(ctx context.Context) error {
	if s.readOnly {
		return s.pending()
	}
	err := s.settleCopies(ctx) // before a change of a package writes its states
	if err == nil {
		err = s.recover(ctx)
	}
	if err == nil {
		err = s.finishPurges(ctx)
	}
	if s.onlyReads {
		if ctx.Err() == nil && isBusy(err) {
			return nil
		}
		return err
	}
	if err == nil {
		s.settleNotes(s.present())
		err = s.settleRegister(ctx)
	}
	if err == nil {
		err = s.settleRuns(ctx)
	}
	if err == nil {
		err = s.importAudits(ctx)
	}
	return err
}

// newStore returns a Store without catalogue, and takes the lock that blocks a rebuild.
func newStore(repo string, config repositoryConfig, o Options, d *disk) (*Store, error) {
	root, err := filepath.Abs(repo)
	if err != nil {
		return nil, err
	}
	s := makeStore(root, config, o, d)
	if !o.ReadOnly {
		err = s.mayWrite()
	}
	if !o.ReadOnly && err == nil {
		s.users, err = s.tryLock(usersLock, shared, "repository "+repo, "")
	}
	if s.readOnly = o.ReadOnly || denied(err); s.readOnly {
		s.users, err = s.locks.tryRead(usersLock, "repository "+repo)
	}
	if err != nil {
		return nil, errors.Join(err, s.locks.close())
	}
	return s, nil
}

// makeStore returns a Store without catalogue and locks.
func makeStore(root string, config repositoryConfig, o Options, d *disk) *Store {
	s := &Store{root: root, id: config.Repository, describe: o.Describe, software: o.Software, disk: d,
		rules: config.Rules, anchors: config.Anchors, onlyReads: o.Reading, job: o.Job,
		created: config.Created, now: time.Now,
		wait: pause, maxFindings: maxFindings,
		batchObjects: batchObjects, locks: newLocker(root, config)}
	d.rules, d.catalogue = config.Rules, config.Catalogue
	if s.software == "" {
		s.software = "quire"
	}
	if p, ok := config.database(); ok {
		s.database = &p
	}
	d.repository = s.id
	s.setCopies(config.Copies)
	return s
}

// Close closes the repository.
func (s *Store) Close() error {
	var err error
	if s.catalogue != nil {
		s.closeRegister()
		err = s.catalogue.Close()
	}
	return errors.Join(err, s.leave())
}

// leave releases the lock that blocks a rebuild, and ends the session of the locks.
func (s *Store) leave() error {
	s.users.release()
	return s.locks.close()
}

// ID returns the UUID of the repository.
func (s *Store) ID() string { return s.id }

// Recovered returns the incomplete changes that [Open] found, and their outcomes.
func (s *Store) Recovered() []Recovery {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.recovered)
}

func (s *Store) cataloguePath() string { return filepath.Join(s.root, catalogueFile) }

func (s *Store) lockPath(name string) string {
	return filepath.Join(s.root, locksFolder, name+".lock")
}
