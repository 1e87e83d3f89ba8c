// Package captures is the one index of captures of a repository: where each lies, and what the pass
// that packed it saw of it. One line a capture, in CDXJ (docs/reference/535_capture-index.md), in
// sorted files that are searched in place.
//
// Questions, each answered from one state of the index, whatever is written meanwhile:
//
//   - [Index.Captures] gives the captures of a URL, a prefix, a host, a domain, or of all;
//     [Index.Counts] counts them by time. With
//     Query.Packages alone it reads the lines of these packages only, however many others there are.
//   - Query.Unlisted gives, in the same ways, the records that are no captures for readers: without
//     a date or a URL, dns and whois.
//   - [Index.Holders] gives who holds a payload, by its SHA-1 or SHA-256; [Index.Revisits] who
//     states that it holds one.
//   - [Index.Containers] says which containers there are, of which version their lines are, and what has no line.
//
// Lines come from the files that packing wrote ([quire/preserve/cdxj]). [Index.Stored] is the
// [Reading] that [Index.Add] takes them from, and anybody else who wants all lines of one
// container, of any version of a package.
//
// It opens no container that has such a file of the version that is wanted. Any other is read once:
// its lines are kept in the folder made, by its SHA-512, until no version of a package has it
// ([Index.Sweep]). Lines of version [Readers] have all that readers and lists of records need,
// undated ones included; exact dates, flaws, framing, dns and whois want [Full].
//
// Several processes may use one index. Who writes while another does waits for it, and takes over
// what that wrote. Where nobody may write, what is there is read.
//
// The index judges nobody: what a reader may see of it is for package holdings to say.
package captures
