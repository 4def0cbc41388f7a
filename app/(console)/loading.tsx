import { PageSkeleton } from "../ui/skeleton";

export default PageSkeleton;
