import Glibc

extension DeviceError {
  /// Failure to open a device.
  ///
  /// ALSA does not see cards that it may not open, so their absence may be a lack of permission.
  ///
  /// - Parameters:
  ///   - id: Name of the device.
  ///   - direction: Direction of the stream.
  ///   - error: The errno.
  ///   - access: Access of the user to the cards.
  ///   - cause: ALSA's own words, such as of a missing plugin or a fault in its configuration.
  init(
    opening id: String, _ direction: AudioDirection, error: Int32, _ access: DeviceFiles.Access, cause: String? = nil
  ) {
    let device = "the \(direction.word) device '\(id)'"
    switch error {
    case ENOENT where cause != nil, ENODEV where cause != nil, ENXIO where cause != nil, EINVAL where cause != nil:
      self.init(
        .failed,
        "\(device) cannot be opened, and ALSA says: \(cause!); mend its configuration (asoundrc), install the named plugin, or "
          + Self.chooseAnother)
    case EACCES, EPERM:
      self.init(.noPermission, "\(device) may not be used by this user; \(Self.joinGroup)")
    case ENOENT, ENODEV, ENXIO:
      switch access {
      case .forbidden:
        self.init(.noPermission, "\(device) cannot be seen, for this user may open no card; \(Self.joinGroup)")
      case .absent where id == "default":
        self.init(
          .notFound,
          "this machine shows no \(direction.word) device; connect one, start a sound server, or give a container /dev/snd"
        )
      case .absent, .allowed:
        self.init(.notFound, "\(device) does not exist; \(Self.chooseAnother)")
      }
    case ECONNREFUSED, EHOSTDOWN, ENOTCONN:
      self.init(
        .notFound, "\(device) belongs to a sound server that does not run; start it or \(Self.chooseAnother)")
    case EBUSY, EAGAIN:
      self.init(.busy, "\(device) is used by another program; close that or \(Self.chooseAnother)")
    default:
      self.init(
        .failed, "\(device) cannot be opened (\(String(cString: strerror(error)))); \(Self.chooseAnother)")
    }
  }

  /// Failure to agree with an opened device on a format.
  init(negotiating id: String, _ direction: AudioDirection, _ request: PCMRequest, error: Int32) {
    switch error {
    case EINVAL:
      self.init(
        .unsupportedFormat,
        "the \(direction.word) device '\(id)' offers no format near \(request.sampleRate) Hz with "
          + "\(request.channelCount) \(request.channelCount == 1 ? "channel" : "channels")"
          + "; \(Self.chooseAnother)")
    default:
      self.init(opening: id, direction, error: error, .allowed)
    }
  }

  /// Refusal of a PCM that moves samples at any rate.
  init(withoutClock id: String, _ direction: AudioDirection) {
    self.init(
      .unsupportedFormat, "the \(direction.word) device '\(id)' has no clock of its own; \(Self.chooseAnother)")
  }

  private static var joinGroup: String { "add the user to the group 'audio' and log in again" }
  private static var chooseAnother: String { "choose another (audiopipe devices)" }
}

extension AudioDirection {
  fileprivate var word: String { self == .capture ? "capture" : "playout" }
}
