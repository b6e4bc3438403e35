import AudioFiles
import AudioGraph
import Glibc
import Platform

/// A device without hardware, on the system's clock, as its name describes it.
///
/// - `null` gives silence, and takes sound without playing it.
/// - `virtual:tone=440:ppm=200` is a simulated device; its keys are those of `Settings`.
/// - `file:talk.wav` is a microphone that hears the mean of a file's channels, then silence.
package enum NamedDevice: Hashable, Sendable {
  /// Keys of a simulated device and their ranges: parts per million, Hz, Hz, and ms.
  package static let (ppm, rate, tone, late) = (-1_000.0...1_000, 8_000...192_000, 0.0...20_000, 0.0...1_000)

  case null
  case virtual(Settings)
  case file(String)

  /// Settings of a simulated device.
  package struct Settings: Hashable, Sendable {
    /// Key `ppm`: how much faster than the clock the device runs.
    var skewPartsPerMillion = 0.0
    /// Key `rate`: sample rate, in Hz.
    var sampleRate = 48_000
    /// Key `tone`: tone that the microphone hears, in Hz; 0: silence.
    var tone = 0.0
    /// Key `late`: longest time by which a wake-up of the device's thread is late.
    var lateness = Duration.zero
  }

  /// Reads the name of a device; nil if it is one of the machine.
  ///
  /// - Throws: `.invalidArgument` for a key that does not exist, or a value out of its range.
  init?(_ id: String) throws(EngineError) {
    if id == "null" {
      self = .null
    } else if id == "virtual" || id.hasPrefix("virtual:") {
      self = .virtual(try Settings(id))
    } else if id.hasPrefix("file:") {
      self = .file(String(id.dropFirst("file:".count)))
    } else {
      return nil
    }
  }

  /// Name of the device in its system.
  var id: String {
    switch self {
    case .null: "null"
    case .virtual: "virtual"
    case .file(let path): "file:\(path)"
    }
  }

  /// Returns a system with this device alone.
  ///
  /// - Throws: `AudioFileError` for a file that cannot be read; `.invalidArgument` for one to be played to.
  func makeHost(_ direction: AudioDirection) throws -> VirtualDevices {
    let devices = VirtualDevices(liveClock: SystemClock())
    var device = VirtualDevice(id: id, direction: direction, channelCount: direction == .capture ? 1 : 2)
    switch self {
    case .null:
      devices.plug(device)
    case .virtual(let settings):
      device.sampleRate = settings.sampleRate
      device.skewPartsPerMillion = settings.skewPartsPerMillion
      device.lateness = settings.lateness
      devices.plug(device)
      if settings.tone > 0 {
        let step = 2 * Double.pi * settings.tone
        devices.setSignal(of: id) { Float(0.5 * sin(step * $0)) }
      }
    case .file(let path):
      guard direction == .capture else {
        throw EngineError(.invalidArgument, "'\(id)' is a microphone; add a sink .file(\"\(path)\") for the output")
      }
      let signal = try FileSignal(path)
      device.sampleRate = signal.sampleRate
      devices.plug(device)
      devices.setSignal(of: id) { _ in signal.next() }
    }
    return devices
  }
}

extension NamedDevice.Settings {
  fileprivate init(_ id: String) throws(EngineError) {
    for part in id.split(separator: ":", omittingEmptySubsequences: true).dropFirst() {
      let (key, value) = (part.prefix { $0 != "=" }, part.drop { $0 != "=" }.dropFirst())
      func number(_ range: ClosedRange<Double>) throws(EngineError) -> Double {
        if let number = Double(value), range.contains(number) { return number }
        throw EngineError(
          .invalidArgument,
          "the key '\(key)' of the device '\(id)' needs a number from \(range.lowerBound) to \(range.upperBound)")
      }
      switch key {
      case "ppm": skewPartsPerMillion = try number(NamedDevice.ppm)
      case "rate":
        sampleRate = Int(try number(Double(NamedDevice.rate.lowerBound)...Double(NamedDevice.rate.upperBound)))
      case "tone": tone = try number(NamedDevice.tone)
      case "late": lateness = .milliseconds(try number(NamedDevice.late))
      default:
        throw EngineError(
          .invalidArgument, "the device '\(id)' has no key '\(key)'; the keys are ppm, rate, tone and late")
      }
    }
  }
}
