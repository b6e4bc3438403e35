import Platform

/// State of one simulated device, shared by its owner and by the stream that has opened it.
///
/// Thread: any, through `Guarded`.
struct VirtualPort: Sendable {
  let device: VirtualDevice
  var isPlugged = true
  var isOpen = false
  /// Sound of the microphone: a sample of every channel, for a time in seconds of the virtual clock; nil: silence.
  var signal: (@Sendable (Double) -> Float)?
  /// Listener of the loudspeaker: takes interleaved samples, and the time in seconds at which each one is heard.
  var listener: (@Sendable (_ samples: [Float], _ time: (Int) -> Double) -> Void)?
  /// Stalls of the device, in nanoseconds.
  var stalls: [Range<Int>] = []
  /// Spans in which the device moves, and its thread does not wake up.
  var sleeps: [Range<Int>] = []
  /// Spans in which the system has suspended the device, in nanoseconds.
  var suspensions: [Range<Int>] = []
}
