/// Summary of a span of sound.
package protocol EnvelopeBin: Sendable {
  /// Adds the span that follows.
  mutating func merge(_ next: Self)
}
