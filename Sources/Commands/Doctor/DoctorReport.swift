import Devices
import FileCommands
import JSON

/// Abilities of this machine.
struct DoctorReport: Sendable {
  let libraries: [LinkedLibrary]
  let machine: Machine
  let sound: SoundDevices
  /// Devices that a program can open, sound servers among them.
  let devices: [AudioDevice]
  /// Reason why the default device cannot be opened; nil if it can.
  var deviceFault: DeviceError?
  let priority: RealTimePriority
  let clock: ClockProbe
  let udp: UDPProbe
  /// Whether `--plot` can draw PNGs; it can always draw SVGs.
  let drawsPNG: Bool

  /// One sentence of advice for each missing ability.
  var advice: [String] { [soundAdvice, priority.advice, clock.advice, udp.advice, pictureAdvice].compactMap { $0 } }

  /// Advice without any device; a machine without a card may have a sound server. A fault of ALSA's configuration
  /// hides all devices.
  var soundAdvice: String? {
    if let deviceFault, deviceFault.reason == .failed { return "\(deviceFault.message)." }
    return devices.isEmpty ? sound.advice : nil
  }

  var pictureAdvice: String? { drawsPNG ? nil : PictureConverter.advice + "." }

  /// The report as one JSON object, `schema` 1.
  var json: String {
    var json = JSONWriter()
    json.object { json in
      json.field("schema", 1)
      json.field("version", Version.number)
      json.array("libraries") { json in
        for library in libraries {
          json.object { json in
            json.field("name", library.name)
            json.field("version", library.version)
            json.field("purpose", library.purpose)
          }
        }
      }
      json.object("system") { json in
        json.field("kernel", machine.kernel)
        json.field("architecture", machine.architecture)
      }
      writeSound(&json)
      json.object("real_time") { json in
        json.field("granted", priority.isGranted)
        json.key("priority_limit")
        if let limit = priority.limit { json.value(limit) } else { json.null() }
      }
      json.object("clock") { json in
        json.field("resolution_ns", clock.resolutionNanoseconds)
        json.object("lateness_us") { json in
          json.field("p50", Double(clock.medianLatenessNanoseconds) / 1000, decimals: 1)
          json.field("max", Double(clock.maximumLatenessNanoseconds) / 1000, decimals: 1)
        }
      }
      json.object("udp") { json in json.field("loopback", udp.isWorking) }
      json.object("pictures") { json in
        json.field("svg", true)
        json.field("png", drawsPNG)
      }
      json.object("cpu") { json in
        json.field("model", machine.processor)
        json.field("count", machine.processorCount)
        json.array("features") { json in for feature in machine.features { json.value(feature) } }
      }
      json.object("memory") { json in
        json.field("total_bytes", machine.memoryBytes)
        json.field("available_bytes", machine.availableMemoryBytes)
      }
      json.array("advice") { json in for sentence in advice { json.value(sentence) } }
    }
    return json.text
  }

  private func writeSound(_ json: inout JSONWriter) {
    json.object("sound") { json in
      json.array("cards") { json in
        for card in sound.cards {
          json.object { json in
            json.field("index", card.index)
            json.field("id", card.id)
            json.field("name", card.name)
          }
        }
      }
      json.array("opens") { json in for device in devices { json.value(device.id) } }
      json.array("devices") { json in
        for stream in sound.streams {
          json.object { json in
            json.field("card", stream.card)
            json.field("device", stream.device)
            json.field("name", stream.name)
            json.field("playback", stream.plays)
            json.field("capture", stream.captures)
          }
        }
      }
    }
  }
}
