/// A packet under way in a simulated call.
struct CallPacket: Sendable {
  let bytes: [UInt8]
  /// When it was sent, in nanoseconds of the call.
  let sentNanoseconds: Int
  /// When the last frame in it was captured.
  let capturedNanoseconds: Int
  /// Which of its receivers, one after another, it was sent to.
  var session = 0
}
