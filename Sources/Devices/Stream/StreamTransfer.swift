/// Moves samples between an open device and the ring of a source or a sink.
///
/// Thread: the device thread.
protocol StreamTransfer: AnyObject {
  /// Starts a stream that has been opened, or that has been prepared for another start.
  ///
  /// - Parameter isNew: Whether it is another device than before.
  func begin(_ pcm: any PCM, isNew: Bool) throws(PCMFault)
  /// Moves the samples that can be moved now.
  ///
  /// - Returns: Whether the device has captured or played any since the previous call.
  func move(_ pcm: any PCM) throws(PCMFault) -> Bool
  /// Notes that no device is open.
  func end()
}
