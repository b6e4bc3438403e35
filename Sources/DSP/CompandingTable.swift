/// The sample of each byte as Float32 in -1 to 1.
package final class CompandingTable: Sendable {
  // SAFETY (nonisolated(unsafe)): written by init only, and freed when nobody has the table any more.
  /// The 256 samples.
  package nonisolated(unsafe) let samples: UnsafePointer<Float>

  /// Makes the table of a code.
  package init(_ companding: Companding) {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 256)
    for byte in 0..<256 { (samples + byte).initialize(to: Float(companding.sample(of: UInt8(byte))) * 0x1p-15) }
    self.samples = UnsafePointer(samples)
  }

  deinit { samples.deallocate() }
}
