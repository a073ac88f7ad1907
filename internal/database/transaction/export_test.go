package transaction

// KeepRefused is keepRefused.
var KeepRefused = keepRefused
