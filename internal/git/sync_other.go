//go:build !unix

package git

import "io/fs"

// errNotDirectory is what the system says of a path beneath a plain file; here
// it says that there is none.
var errNotDirectory = fs.ErrNotExist

// syncDir does nothing: here a rename is durable by itself or cannot be made so.
func syncDir(string) error { return nil }
