package register

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"quire/internal/disk"
)

// Anchor keeps checkpoints outside the repository, so that a rollback of everything inside it is
// found. [Anchors] calls it.
type Anchor interface {
	// Name identifies the anchor in records and findings.
	Name() string
	// Keep keeps a checkpoint. The receipt, if any, is stored with it.
	Keep(ctx context.Context, c Checkpoint) (receipt []byte, err error)
}

// FolderAnchor appends checkpoints to one file in an existing folder, for example on a disk that is
// kept elsewhere, or a shared drive of another institution.
type FolderAnchor struct {
	Path string
	Disk Disk // nil: the disk of the operating system
}

// anchorFile is the name of the file of a [FolderAnchor]. It has a line for each checkpoint: time,
// size, and the signed note in base64, with blanks between.
const anchorFile = "quire-register.checkpoints"

// maxAnchorLine is the maximum length in bytes of a line of an anchor file.
const maxAnchorLine = 2 * maxCheckpoint

// Name implements [Anchor].
func (a FolderAnchor) Name() string { return "folder " + a.Path }

// Keep implements [Anchor]. The folder must exist: it may be a disk that is not mounted now.
func (a FolderAnchor) Keep(_ context.Context, c Checkpoint) ([]byte, error) {
	if info, err := os.Stat(a.Path); err != nil || !info.IsDir() {
		return nil, errors.Join(err, fmt.Errorf("%s is not a folder", a.Path))
	}
	d := a.Disk
	if d == nil {
		d = osDisk{}
	}
	path := filepath.Join(a.Path, anchorFile)
	line := fmt.Sprintf("%s %d %s\n", time.Now().UTC().Format(time.RFC3339), c.Size,
		base64.StdEncoding.EncodeToString(c.Text))
	torn, err := endsTorn(path)
	if err != nil {
		return nil, err
	}
	if torn { // a line that was cut off stays, and is skipped
		line = "\n" + line
	}
	return nil, d.Append(path, []byte(line))
}

// endsTorn reports whether the last line of a file has no end.
func endsTorn(path string) (bool, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|disk.NoFollow, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false, err
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], info.Size()-1)
	return last[0] != '\n', err
}

// Checkpoints yields the checkpoints that the anchor holds. Lines that are cut off or damaged are
// errors; the sequence goes on behind them. Their signatures are not verified: see [CheckAnchored].
func (a FolderAnchor) Checkpoints() iter.Seq2[Checkpoint, error] {
	return func(yield func(Checkpoint, error) bool) {
		f, err := os.OpenFile(filepath.Join(a.Path, anchorFile), os.O_RDONLY|disk.NoFollow, 0)
		if err != nil {
			yield(Checkpoint{}, err)
			return
		}
		defer func() { _ = f.Close() }() // opened for reading only
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, maxAnchorLine)
		for n := 1; lines.Scan(); n++ {
			c, err := parseAnchorLine(lines.Text())
			if err != nil {
				err = fmt.Errorf("%s line %d: %w", f.Name(), n, err)
			}
			if !yield(c, err) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(Checkpoint{}, err)
		}
	}
}

func parseAnchorLine(line string) (Checkpoint, error) {
	parts := strings.Split(line, " ")
	if len(parts) != 3 {
		return Checkpoint{}, errors.New("it is not a line of an anchor")
	}
	text, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil {
		return Checkpoint{}, err
	}
	return ParseCheckpoint(text)
}

// CommandAnchor runs a program with the checkpoint on its standard input, for example to publish or
// mail it. Exit status 0 means that the checkpoint is kept.
type CommandAnchor struct {
	Command []string      // program and arguments
	Timeout time.Duration // 0: one minute
}

// maxOutput is the maximum number of bytes that is kept of the output of a command.
const maxOutput = 4 << 10

// Name implements [Anchor].
func (a CommandAnchor) Name() string { return "command " + strings.Join(a.Command, " ") }

// Keep implements [Anchor]. The receipt is the standard output, at most 4 KiB of it.
func (a CommandAnchor) Keep(ctx context.Context, c Checkpoint) ([]byte, error) {
	if len(a.Command) == 0 {
		return nil, errors.New("the anchor names no program")
	}
	timeout := a.Timeout
	if timeout == 0 {
		timeout = time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var out, errs bounded
	cmd := exec.CommandContext(ctx, a.Command[0], a.Command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(string(c.Text)), &out, &errs
	cmd.WaitDelay = time.Second // a child may keep the output open
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = errors.Join(err, ctx.Err())
		}
		return nil, fmt.Errorf("%s: %w: %q", a.Command[0], err, errs.text)
	}
	return out.text, nil
}

// bounded keeps the beginning of an output, and drops the rest.
type bounded struct{ text []byte }

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	b.text = append(b.text, p[:min(len(p), maxOutput-len(b.text))]...)
	return len(p), nil
}
