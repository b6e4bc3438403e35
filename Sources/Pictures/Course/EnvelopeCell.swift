/// What a stretch of sound is summed up to.
package protocol EnvelopeCell: Sendable {
  /// Takes the stretch that follows in.
  mutating func merge(_ next: Self)
}
