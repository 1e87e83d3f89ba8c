package main

import (
	"context"
	"path/filepath"

	"quire/access/wabac"
)

// assetsCmd has the commands for third-party programs that quire serve can use.
type assetsCmd struct {
	Install assetsInstallCmd `cmd:"" help:"Download wabac.js, for archived pages whose scripts need it. Its licence is AGPL, so quire does not include it."`
}

type assetsInstallCmd struct {
	jsonFlag
	To   string `placeholder:"FOLDER" help:"The folder for the files, the setting assets of quire serve. Default: the folder where quire serve looks."`
	From string `placeholder:"FILE|URL" help:"The npm package, as a file or at another URL, for machines without access to the npm registry."`
}

// Run installs the pinned release.
func (c *assetsInstallCmd) Run(ctx context.Context, t *terminal) error {
	dir := c.To
	if dir == "" {
		var err error
		if dir, err = wabac.DefaultDir(); err != nil {
			return err
		}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	release, err := wabac.Install(ctx, dir, wabac.InstallOptions{From: c.From})
	if err != nil {
		return err
	}
	if c.JSON {
		return t.json(struct {
			wabac.Release
			Folder string `json:"folder"`
		}{release, dir})
	}
	t.printf("%s %s is in %s\n", release.Name, release.Version, dir)
	t.printf("licence  %s; source: %s\n", release.Licence, release.Source)
	t.printf("digest   %s\n", release.Package)
	return nil
}
