import CALSA
import CPlatform

/// Calls of libasound that must print nothing.
enum ALSA {
  // The handler is one for the whole process.
  private static let isSilent: Bool = {
    calsa_silence()
    return true
  }()

  /// Version of the library.
  static var version: String { snd_asoundlib_version().map { String(cString: $0) } ?? "unknown" }

  /// Makes a call that may load plugins: libpulse and libjack print to stderr on their own.
  static func quietly<Result>(_ call: () -> Result) -> Result {
    _ = isSilent
    cplatform_begin_quiet()
    defer { cplatform_end_quiet() }
    return call()
  }

  /// Opens a PCM without waiting for another program to close it.
  ///
  /// The configuration is read afresh. The library's own copy of it lacks cards and servers that came later.
  /// - Returns: The handle, or the errno of the failure and the library's own words about its cause, if it has any.
  static func open(
    _ id: String, _ direction: AudioDirection
  ) -> (handle: OpaquePointer?, error: Int32, cause: String?) {
    var handle: OpaquePointer?
    cplatform_forget_messages()
    let stream = direction == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
    let result = quietly {
      var configuration: OpaquePointer?
      var files: OpaquePointer?
      let result = snd_config_update_r(&configuration, &files, nil)
      if result < 0 { return result }
      defer {
        snd_config_delete(configuration)
        snd_config_update_free(files)
      }
      return snd_pcm_open_lconf(&handle, id, stream, SND_PCM_NONBLOCK, configuration)
    }
    return result < 0 ? (nil, -result, cause(opening: id)) : (handle, 0, nil)
  }

  /// Returns the library's words about a failure; nil if they say no more than that there is no such card or name.
  private static func cause(opening id: String) -> String? {
    let messages = String(cString: cplatform_messages()).split(separator: "\n")
    guard let first = messages.first, !["cannot find card", "Cannot get card"].contains(where: first.hasPrefix),
      first != "Unknown PCM \(id)"
    else {
      return nil
    }
    return messages.joined(separator: "; ")
  }

  /// Whether the PCM always takes and gives samples: it has no clock, and would keep a processor busy.
  static func hasNoClock(_ handle: OpaquePointer) -> Bool { snd_pcm_type(handle) == SND_PCM_TYPE_NULL }

  /// Whether a PCM is a card's own, and not behind a plugin that may lead to a sound server.
  static func isHardware(_ handle: OpaquePointer) -> Bool { snd_pcm_type(handle) == SND_PCM_TYPE_HW }

  /// Returns the name of an open PCM's device; nil if it has none.
  static func name(of handle: OpaquePointer) -> String? {
    var allocated: OpaquePointer?
    guard snd_pcm_info_malloc(&allocated) == 0, let info = allocated else { return nil }
    defer { snd_pcm_info_free(info) }
    guard snd_pcm_info(handle, info) == 0, let text = snd_pcm_info_get_name(info) else { return nil }
    let name = String(cString: text)
    return name.isEmpty ? nil : name
  }

  /// Closes a PCM.
  static func close(_ handle: OpaquePointer) { _ = quietly { snd_pcm_close(handle) } }
}
