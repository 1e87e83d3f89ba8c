package tour

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Options of a tour.
type Options struct {
	Folder  string // where the tour works; it must not exist or be empty. "" makes a temporary folder
	Program string // path of the program, for users whose shell does not find it

	Files   fs.FS     // the folder crawl and rights.yaml
	Crawled time.Time // modification time of these files

	// Call runs one command. The command writes its output to out. Call returns an error if the
	// command fails.
	Call func(ctx context.Context, args []string) error
	Out  io.Writer

	Serve []string // arguments of the last command, which serves readers; nil for none
}

// step is one command of the tour.
type step struct {
	heading string
	calls   []string
	check   func(p *page) error // after the calls; nil for none
}

const (
	id    = "harbour-museum"
	title = "Museum of Wooden Boats, Saltmarsh Quay"
)

var steps = []step{
	{"Pack: containers, log and rights become a package, described by one METS",
		[]string{"pack crawl --out package --id " + id + " --title '" + title + "' --rights rights.yaml"}, nil},
	{"Validate: the package against its own METS and checksums", []string{"validate package"}, nil},
	{"Store: three copies, each written, synced and read back before it counts",
		[]string{"init repository", "ingest package --repo repository"}, nil},
	{"Audit: every copy is read again", []string{"audit --repo repository"}, nil},
	{"Look", []string{"list --repo repository", "show " + id + " --repo repository"}, nil},
	{"Export: the package comes back, bit for bit",
		[]string{"export " + id + " --repo repository --out export"}, compared},
}

// Run runs the tour. It changes the working folder of the process to the folder of the tour. It
// also removes Quire's settings from the environment, because they could change the results of the
// commands.
func Run(ctx context.Context, o Options) error {
	folder, err := prepare(o)
	if err != nil {
		return err
	}
	p := &page{w: o.Out}
	p.line("The tour of Quire. The museum is invented; the crawl of its website is real.")
	p.line("All files of the tour are in %s:", folder)
	p.line("\n$ cd %s", quoted(folder))
	for i, s := range steps {
		p.line("\n== %d. %s", i+1, s.heading)
		for _, call := range s.calls {
			if err := p.call(ctx, o, splitCall(call)); err != nil {
				return err
			}
		}
		if s.check != nil {
			if err := s.check(p); err != nil {
				return err
			}
		}
	}
	p.end(folder, o)
	if p.err == nil && o.Serve != nil {
		// With an index, the first request finds all pages.
		if err := p.call(ctx, o, []string{"index", "--repo", "repository"}); err != nil {
			return err
		}
		return p.call(ctx, o, append([]string{"serve", "--repo", "repository"}, o.Serve...))
	}
	return p.err
}

// prepare makes the folder with the example crawl, and enters it.
func prepare(o Options) (string, error) {
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "QUIRE_") {
			if err := os.Unsetenv(name); err != nil {
				return "", err
			}
		}
	}
	if err := os.Setenv("QUIRE_CONFIG", ""); err != nil { // no file of defaults
		return "", err
	}
	folder, err := o.folder()
	if err != nil {
		return "", err
	}
	if err := o.write(folder); err != nil {
		return "", err
	}
	return folder, os.Chdir(folder)
}

// folder returns the absolute path of an empty folder.
func (o Options) folder() (string, error) {
	if o.Folder == "" {
		return os.MkdirTemp("", "quire-demo-")
	}
	if err := os.MkdirAll(o.Folder, 0o755); err != nil {
		return "", err
	}
	there, err := os.ReadDir(o.Folder)
	if err != nil {
		return "", err
	}
	if len(there) > 0 {
		return "", fmt.Errorf("%s is not empty: name another folder, or leave out --out for a temporary one", o.Folder)
	}
	return filepath.Abs(o.Folder)
}

// write writes the files of the example. Their time is the time of the crawl, because packing
// records it.
func (o Options) write(folder string) error {
	return fs.WalkDir(o.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(folder, filepath.FromSlash(name))
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		content, err := fs.ReadFile(o.Files, name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(to, content, 0o644); err != nil {
			return err
		}
		return os.Chtimes(to, o.Crawled, o.Crawled)
	})
}

// call prints a command, and runs it.
func (p *page) call(ctx context.Context, o Options, args []string) error {
	shown := make([]string, len(args))
	for i, arg := range args {
		shown[i] = quoted(arg)
	}
	p.line("$ quire %s", strings.Join(shown, " "))
	if p.err != nil {
		return p.err
	}
	if err := o.Call(ctx, args); err != nil {
		return fmt.Errorf("the tour stopped at quire %s: %w", args[0], err)
	}
	return nil
}

// errDiffers is returned when an export is not the package.
var errDiffers = errors.New("the export differs from the package")

// compared compares the export with the package, file by file.
func compared(p *page) error {
	files, err := listed("package")
	if err != nil {
		return err
	}
	exported, err := listed("export")
	if err != nil {
		return err
	}
	if len(exported) != len(files) {
		return fmt.Errorf("%w: %d files, not %d", errDiffers, len(exported), len(files))
	}
	for name, content := range files {
		if exported[name] != content {
			return fmt.Errorf("%w in %s", errDiffers, name)
		}
	}
	p.line("compared with the package: %d files, no difference", len(files))
	return nil
}

// listed returns the content of each file of a folder. It reads them into memory: the example files
// are small.
func listed(folder string) (map[string]string, error) {
	files := map[string]string{}
	in := os.DirFS(folder)
	err := fs.WalkDir(in, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(in, name)
		files[name] = string(content)
		return err
	})
	return files, err
}
