package import Platform

/// The sound devices of Linux: those of the cards, and the PCMs of ALSA's configuration.
///
/// Sound servers are reached through ALSA's plugins. Thread: any.
package final class ALSAHost: DeviceHost {
  /// The host of this machine.
  package static let shared = ALSAHost()

  private let watch = DeviceWatch()

  private init() {}

  package let clock: any EngineClock = SystemClock()
  package var isSimulated: Bool { false }
  package var changeCount: Int { watch.count }

  /// Returns the default devices first, then sound servers, cards, the user's own PCMs, and converters.
  ///
  /// A device is opened for a moment if only that shows that it works.
  package func devices() -> [AudioDevice] { ALSAList.devices() }

  package func pluggedDevices() -> [AudioDevice] { ALSAList.cards(areOpened: false) }

  package func open(
    _ id: String, _ direction: AudioDirection, _ request: PCMRequest
  ) throws(DeviceError) -> any PCM {
    let (handle, error, cause) = ALSA.open(id, direction)
    guard let handle else {
      throw DeviceError(opening: id, direction, error: error, DeviceFiles.access(), cause: cause)
    }
    if ALSA.hasNoClock(handle) {
      ALSA.close(handle)
      throw DeviceError(withoutClock: id, direction)
    }
    do {
      let setup = try ALSASetup.negotiate(handle, direction, request)
      return ALSAStream(handle, AudioDevice(id: id, name: ALSA.name(of: handle) ?? id, direction: direction), setup)
    } catch {
      ALSA.close(handle)
      throw DeviceError(negotiating: id, direction, request, error: error.number)
    }
  }

  package func run(_ stream: any ServicedStream, named name: String) throws(ThreadError) -> any RunningStream {
    try DeviceThread(stream, named: name)
  }
}
