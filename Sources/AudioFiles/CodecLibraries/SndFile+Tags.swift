import CSndFile

extension SndFile {
  private static func number(of field: AudioTags.Field) -> Int32 {
    let number =
      switch field {
      case .title: SF_STR_TITLE
      case .artist: SF_STR_ARTIST
      case .album: SF_STR_ALBUM
      case .date: SF_STR_DATE
      case .genre: SF_STR_GENRE
      case .track: SF_STR_TRACKNUMBER
      case .comment: SF_STR_COMMENT
      case .copyright: SF_STR_COPYRIGHT
      case .license: SF_STR_LICENSE
      }
    return Int32(number)
  }

  /// Tags of the file, as far as the library knows them.
  var tags: AudioTags {
    var tags = AudioTags()
    for field in AudioTags.Field.allCases {
      tags[field] = sf_get_string(handle, Self.number(of: field)).map { String(cString: $0) }
    }
    return tags
  }

  /// Returns the tags of a file that another library decodes: libsndfile knows the numbers of ID3's genres.
  static func tags(descriptor: Int32, path: String) -> AudioTags {
    guard let (file, _) = try? open(descriptor: descriptor, path: path) else { return AudioTags() }
    defer { file.close() }
    return file.tags
  }

  /// Writes tags to a new file; those that its kind does not have are left out.
  func setTags(_ tags: AudioTags) {
    for (field, text) in tags.fields { sf_set_string(handle, Self.number(of: field), text) }
  }

  /// The library's names of the loudspeakers of WAV's mask, from its lowest bit on. Stereo has separate names.
  private static let speakerNames = [
    SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_CENTER, SF_CHANNEL_MAP_LFE, SF_CHANNEL_MAP_REAR_LEFT,
    SF_CHANNEL_MAP_REAR_RIGHT, SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER, SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER,
    SF_CHANNEL_MAP_REAR_CENTER, SF_CHANNEL_MAP_SIDE_LEFT, SF_CHANNEL_MAP_SIDE_RIGHT,
  ].map { Int32($0) }

  private static let otherNames = [
    Int32(SF_CHANNEL_MAP_FRONT_LEFT): UInt32(1), Int32(SF_CHANNEL_MAP_FRONT_RIGHT): 2,
    Int32(SF_CHANNEL_MAP_FRONT_CENTER): 4, Int32(SF_CHANNEL_MAP_MONO): 4,
  ]

  func speakers(channelCount: Int) -> [UInt32]? {
    var names = [Int32](repeating: 0, count: channelCount)
    let size = Int32(MemoryLayout<Int32>.size * channelCount)
    guard sf_command(handle, Int32(SFC_GET_CHANNEL_MAP_INFO), &names, size) == SF_TRUE else { return nil }
    let speakers = names.compactMap { name in
      Self.speakerNames.firstIndex(of: name).map { 1 << UInt32($0) } ?? Self.otherNames[name]
    }
    return Set(speakers).count == channelCount ? speakers : nil
  }

  /// Writes the loudspeakers of the channels, bit by bit.
  ///
  /// - Returns: Whether the file can hold them.
  func setSpeakers(_ mask: UInt32) -> Bool {
    var names = (0..<UInt32(Self.speakerNames.count)).filter { mask >> $0 & 1 == 1 }.map { Self.speakerNames[Int($0)] }
    let size = Int32(MemoryLayout<Int32>.size * names.count)
    return sf_command(handle, Int32(SFC_SET_CHANNEL_MAP_INFO), &names, size) == SF_TRUE
  }
}
