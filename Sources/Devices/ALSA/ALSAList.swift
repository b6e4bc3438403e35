import CALSA
import Glibc

/// Search for the devices of this machine.
enum ALSAList {
  /// Returns the devices that work, and the converters, which are not tried.
  static func devices() -> [AudioDevice] {
    let found = ALSA.quietly { hints() }
    let ofKind = { (kind: ALSAName.Kind) in found.filter { ALSAName($0.id).kind == kind } }
    return ofKind(.standard) + ofKind(.server) + cards(areOpened: true) + ofKind(.custom) + ofKind(.converter)
  }

  // MARK: Configuration

  private static func hints() -> [AudioDevice] {
    var list: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &list) == 0, let list else { return [] }
    defer { snd_device_name_free_hint(list) }
    var devices: [AudioDevice] = []
    var seen: Set<String> = []
    var hint = list
    while let pointer = hint.pointee {
      hint += 1
      guard let text = text("NAME", of: pointer), seen.insert(text).inserted else { continue }
      let name = ALSAName(text)
      // Devices of the cards are asked themselves.
      if name.kind == .hardware { continue }
      let shown = text.isEmpty ? nil : Self.text("DESC", of: pointer)?.replacing("\n", with: ", ")
      let only = Self.text("IOID", of: pointer)
      for direction in AudioDirection.allCases where only == nil || only == ioid(direction) {
        let isConverter = name.kind == .converter
        let (handle, error, _) = isConverter ? (nil, 0, nil) : ALSA.open(text, direction)
        defer { handle.map(ALSA.close) }
        guard isConverter || handle != nil || error == EBUSY else { continue }
        let ranges = handle.flatMap(Self.ranges)
        devices.append(
          AudioDevice(
            id: text, name: shown ?? text, direction: direction, sampleRates: ranges?.rates,
            channelCounts: ranges?.channels, isDefault: name.kind == .standard, isConverter: isConverter))
      }
    }
    return devices
  }

  private static func text(_ key: String, of hint: UnsafeMutableRawPointer) -> String? {
    guard let text = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  private static func ioid(_ direction: AudioDirection) -> String { direction == .capture ? "Input" : "Output" }

  // MARK: Cards

  /// Returns the devices of the cards.
  ///
  /// - Parameter areOpened: Whether each one is opened for a moment, to ask for its rates and channels.
  static func cards(areOpened: Bool) -> [AudioDevice] {
    var devices: [AudioDevice] = []
    var card: Int32 = -1
    while snd_card_next(&card) == 0, card >= 0 { devices += Self.devices(ofCard: card, areOpened: areOpened) }
    return devices
  }

  private static func devices(ofCard card: Int32, areOpened: Bool) -> [AudioDevice] {
    var control: OpaquePointer?
    guard ALSA.quietly({ snd_ctl_open(&control, "hw:\(card)", SND_CTL_NONBLOCK) }) == 0, let control else { return [] }
    defer { snd_ctl_close(control) }
    var allocated: (card: OpaquePointer?, pcm: OpaquePointer?)
    guard snd_ctl_card_info_malloc(&allocated.card) == 0, let cardInfo = allocated.card else { return [] }
    defer { snd_ctl_card_info_free(cardInfo) }
    guard snd_pcm_info_malloc(&allocated.pcm) == 0, let info = allocated.pcm else { return [] }
    defer { snd_pcm_info_free(info) }
    guard snd_ctl_card_info(control, cardInfo) == 0 else { return [] }
    let identifier = String(cString: snd_ctl_card_info_get_id(cardInfo))
    let cardName = String(cString: snd_ctl_card_info_get_name(cardInfo))

    var devices: [AudioDevice] = []
    var device: Int32 = -1
    while snd_ctl_pcm_next_device(control, &device) == 0, device >= 0 {
      for direction in AudioDirection.allCases {
        snd_pcm_info_set_device(info, UInt32(device))
        snd_pcm_info_set_subdevice(info, 0)
        snd_pcm_info_set_stream(info, direction == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK)
        guard snd_ctl_pcm_info(control, info) == 0 else { continue }
        let id = ALSAName(card: identifier, device: Int(device)).text
        let handle = areOpened ? ALSA.open(id, direction).handle : nil
        defer { handle.map(ALSA.close) }
        let ranges = handle.flatMap(Self.ranges)
        devices.append(
          AudioDevice(
            id: id, name: "\(cardName): \(String(cString: snd_pcm_info_get_name(info)))", direction: direction,
            sampleRates: ranges?.rates, channelCounts: ranges?.channels))
      }
    }
    return devices
  }

  private static func ranges(of handle: OpaquePointer) -> (rates: ClosedRange<Int>, channels: ClosedRange<Int>)? {
    var allocated: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&allocated) == 0, let parameters = allocated else { return nil }
    defer { snd_pcm_hw_params_free(parameters) }
    var rates: (UInt32, UInt32) = (0, 0)
    var channels: (UInt32, UInt32) = (0, 0)
    guard snd_pcm_hw_params_any(handle, parameters) >= 0,
      snd_pcm_hw_params_get_rate_min(parameters, &rates.0, nil) == 0,
      snd_pcm_hw_params_get_rate_max(parameters, &rates.1, nil) == 0,
      snd_pcm_hw_params_get_channels_min(parameters, &channels.0) == 0,
      snd_pcm_hw_params_get_channels_max(parameters, &channels.1) == 0,
      rates.0 <= rates.1, channels.0 <= channels.1
    else { return nil }
    return (Int(rates.0)...Int(rates.1), Int(channels.0)...Int(channels.1))
  }
}
