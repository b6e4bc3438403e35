package import Platform

/// The devices of one system: those of ALSA, or virtual ones.
///
/// Thread: any.
package protocol DeviceHost: AnyObject, Sendable {
  /// Clock of the streams' times.
  var clock: any EngineClock { get }
  /// Whether time and devices are simulated: then an offline pipeline can be connected to them too.
  var isSimulated: Bool { get }
  /// Returns the devices that can be opened now.
  func devices() -> [AudioDevice]
  /// Returns the devices that are plugged in, without opening any: those that can come and go.
  func pluggedDevices() -> [AudioDevice]
  /// Opens a device.
  ///
  /// - Parameters:
  ///   - id: Name of the device: that of a list, or another one that the system knows. `default`
  ///     is the device of programs that name none.
  ///   - direction: Direction of the sound.
  ///   - request: Wanted format; the device takes the nearest that it offers.
  /// - Throws: The reason, with a sentence that names the device.
  func open(_ id: String, _ direction: AudioDirection, _ request: PCMRequest) throws(DeviceError) -> any PCM
  /// Number of times that devices came or went so far. Cheap: the device thread reads it at every wake-up.
  var changeCount: Int { get }
  /// Runs a stream: on a thread of its own, or as part of a simulation.
  ///
  /// - Returns: The run, to end it.
  func run(_ stream: any ServicedStream, named name: String) throws(ThreadError) -> any RunningStream
}
