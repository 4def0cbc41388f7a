/** What operators announce to everybody in the console. */
export { announce, type Announcement, announcementLevels, clearAnnouncement, findAnnouncement } from "./announcement";
