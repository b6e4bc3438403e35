/// Summary of a span of sound.
package protocol EnvelopeCell: Sendable {
  /// Adds the span that follows.
  mutating func merge(_ next: Self)
}
